import { describe, expect, test } from "bun:test";
import { modelFrom } from "../catalog/testing.ts";
import { AppError, credits } from "../kit/index.ts";
import { noopTracer } from "../telemetry/index.ts";
import { type ChatCall, type ChatPrompt, quoteChat } from "./chat-call.ts";

const MODEL = modelFrom({
  type: "text",
  credits_per_request: 1,
  price: { input_per_million: 1_000, output_per_million: 1_000 },
  limits: { context_tokens: 100_000, max_output_tokens: 100 },
});

function quote(changes: Partial<ChatPrompt> = {}) {
  const call: ChatCall = {
    principal: {
      organization: {
        id: "o",
        name: "Acme",
        slug: "acme",
        plan: "free",
        active: true,
        efficiency: "off",
        disabledModels: new Set(),
      },
      keyId: "k",
      keyName: "test",
      scopes: new Set(),
      limits: { requestsPerMinute: null, inFlight: null },
    },
    plan: {
      name: "free",
      usdCents: 0,
      monthlyCredits: credits(0),
      requestsPerMinute: 60,
      inFlight: 5,
      videoJobs: 1,
    },
    memberUserId: null,
    requestId: "r",
    endpoint: "test",
    model: MODEL,
    prompt: { messages: [{ role: "user", content: "hi" }], ...changes },
    maxTokens: 100,
    efficiency: "off",
    idempotency: null,
    span: noopTracer.start("test"),
  };
  return quoteChat(call, 1_000);
}

test("a prompt is held for by its length at least, whatever its words are taken for", () => {
  const spaces = quote({ messages: [{ role: "user", content: " ".repeat(200_000) }] });
  expect(spaces.paidCall.admission.full).toBeGreaterThanOrEqual(200_000 / 4 / 1_000);
  expect(spaces.estimatedInputTokens).toBeLessThan(200_000 / 6);
});

describe("what a caller's own wire carries beyond its neutral form", () => {
  test("is held for like the rest of the prompt, and not charged as if it had been read", () => {
    const [plain, laden] = [quote(), quote({ unseenTokens: 50_000 })];
    expect(plain.paidCall.admission.minimum).toBe(credits(1));
    expect(laden.paidCall.admission.minimum).toBe(credits(61));
    expect(laden.paidCall.admission.full).toBe(credits(61));
    expect(laden.estimatedInputTokens).toBe(plain.estimatedInputTokens);
  });

  test("is refused where it is more than the model reads, before anything is held", () => {
    expect(() => quote({ unseenTokens: 100_000 })).toThrow(AppError);
    expect(() => quote({ unseenTokens: 100_000 })).toThrow("more than the 100000 that this model takes");
  });

  test("is none of the provider's business", () => {
    const request = quote({ unseenTokens: 10 }).requestFor(credits(100), "reply");
    expect(request).not.toHaveProperty("unseenTokens");
  });
});
