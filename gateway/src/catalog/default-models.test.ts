import { describe, expect, test } from "bun:test";
import { credits, present } from "../kit/index.ts";
import { textCost } from "./cost.ts";
import type { TextModel } from "./model.ts";
import { textQuote } from "./quote.ts";
import { listModels, resolveModel } from "./resolve.ts";
import { catalogWith } from "./testing.ts";

const organization = { id: "org-1", slug: "first", plan: "free", disabledModels: new Set<string>() };
const defaults = [...catalogWith({}).models.values()];
const paid = defaults
  .filter((model): model is TextModel => model.type === "text")
  .filter((model) => !model.isTest);
const providers = [...new Set(paid.map((model) => model.provider))];

function catalogOf(configured: readonly string[]) {
  return catalogWith({}, { configuredProviders: new Set(configured) });
}

function listed(configured: readonly string[]) {
  return listModels({ catalog: catalogOf(configured), organization });
}

function serving(configured: readonly string[], id: string): string | undefined {
  return resolveModel({ catalog: catalogOf(configured), organization, id, type: "text" })?.id;
}

describe("without any configured provider", () => {
  test("only sandbox models are listed, and sandbox-chat serves both text aliases", () => {
    expect(listed([]).every(({ provider }) => provider === "sandbox")).toBe(true);
    expect(listed([]).filter(({ type }) => type === "text")).toEqual([
      {
        id: "sandbox-chat",
        name: "Sandbox Chat",
        type: "text",
        provider: "sandbox",
        credits_per_request: 1,
        description: expect.any(String),
        price: { credits_per_request: 1 },
        limits: { context_tokens: 128_000, max_output_tokens: 8192 },
        capabilities: ["tools", "images", "files", "reasoning", "structured_output"],
        aliases: ["svc-code", "svc-fast"],
      },
    ]);
  });
});

describe("with one configured provider", () => {
  test.each(providers)(
    "%s offers at least three models besides the sandbox, all served by it",
    (provider) => {
      const models = listed([provider]).filter((model) => model.provider !== "sandbox");
      expect(models.length).toBeGreaterThanOrEqual(3);
      expect(new Set(models.map((model) => model.provider))).toEqual(new Set([provider]));
    },
  );

  test.each(providers)("%s serves svc-code and svc-fast without the sandbox", (provider) => {
    for (const alias of ["svc-code", "svc-fast"]) {
      expect(serving([provider], alias)).toBeString();
      expect(serving([provider], alias)).not.toBe("sandbox-chat");
    }
  });
});

test("with every provider, claude-opus-5 serves svc-code and gpt-5.6-luna serves svc-fast", () => {
  expect(serving(providers, "svc-code")).toBe("claude-opus-5");
  expect(serving(providers, "svc-fast")).toBe("gpt-5.6-luna");
});

test("every provider's model of svc-code can call tools", () => {
  const { aliases } = catalogWith({});
  const ids = present(aliases.get("svc-code"), "svc-code").filter((id) => id !== "sandbox-chat");
  for (const id of ids) {
    expect(defaults.find((model) => model.id === id)?.capabilities, id).toContain("tools");
  }
});

describe("every model of a provider", () => {
  test("names the source and date of its price", () => {
    for (const { id, source } of paid) {
      expect(source, id).toEqual({ name: "LiteLLM model prices", date: expect.stringMatching(/^20\d\d-/) });
    }
  });

  test("has its own name and a description", () => {
    for (const { id, name, description } of paid) {
      expect(name, id).not.toBe(id);
      expect(description, id).toEndWith(".");
    }
    expect(new Set(paid.map(({ name }) => name)).size).toBe(paid.length);
  });

  test("has rates above 0, with cached input ≤ input ≤ cache writes, and input ≤ output", () => {
    for (const { id, price } of paid) {
      expect(price.input, id).toBeGreaterThan(0n);
      expect(price.output, id).toBeGreaterThanOrEqual(price.input);
      expect(price.cachedInput, id).toBeGreaterThan(0n);
      expect(price.cachedInput, id).toBeLessThanOrEqual(price.input);
      expect(price.cacheWrite, id).toBeGreaterThanOrEqual(price.input);
    }
  });

  test("leaves room for a prompt beside its longest output", () => {
    for (const { id, limits } of paid) {
      expect(limits.maxOutputTokens, id).toBeLessThan(limits.contextTokens);
    }
  });

  test("bounds images and files only if it takes them, and one of each fits into its context", () => {
    for (const { id, limits, capabilities } of paid) {
      expect(limits.tokensPerImage !== null, id).toBe(capabilities.includes("images"));
      expect(limits.tokensPerFile !== null, id).toBe(capabilities.includes("files"));
      expect((limits.tokensPerImage ?? 0) + (limits.tokensPerFile ?? 0), id).toBeLessThan(
        limits.contextTokens,
      );
    }
  });

  test("has long-input rates above context_tokens if its window is larger; nine models have that", () => {
    const wide = paid.filter(({ limits }) => limits.windowTokens > limits.contextTokens);
    expect(wide.map(({ id }) => id)).toEqual([
      ...["gpt-5.6", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5", "gpt-5.4"],
      ...["gemini-3.1-pro-preview", "gemini-2.5-pro", "grok-4.5", "grok-4.3"],
    ]);
    for (const { id, limits, longInput } of wide)
      expect(longInput?.aboveTokens, id).toBe(limits.contextTokens);
  });

  test("never costs more than its quote, even with full context and output", () => {
    for (const model of paid) {
      const { contextTokens, maxOutputTokens } = model.limits;
      const bounds = { inputBoundTokens: contextTokens, audioBoundTokens: 0, thoughtTokens: 0 };
      const quote = textQuote({ model, ...bounds, n: 1, maxOutputTokens: null });
      const usage = {
        inputTokens: contextTokens,
        cachedInputTokens: 0,
        cacheWriteTokens: contextTokens,
        outputTokens: maxOutputTokens,
        reasoningTokens: maxOutputTokens,
      };
      expect(textCost({ model, usage, n: 1 }), model.id).toBeLessThanOrEqual(quote.full);
    }
  });
});

test("claude-sonnet-5 costs 2,000 credits per million input tokens, a thousand per dollar", () => {
  const model = present(
    paid.find(({ id }) => id === "claude-sonnet-5"),
    "claude-sonnet-5",
  );
  const usage = {
    inputTokens: 1_000_000,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
  expect(textCost({ model, usage, n: 1 })).toBe(credits(2000));
});
