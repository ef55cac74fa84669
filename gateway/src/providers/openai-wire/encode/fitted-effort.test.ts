import { describe, expect, test } from "bun:test";
import { WIRE_VENDORS } from "../../wire-vendors-testing.ts";
import { encodeResponseRequest } from "../responses/encode-response-request.ts";
import { bodyFor, wireBodyFor } from "../testing.ts";
import type { WireVendor } from "../vendor.ts";

const { mistral, groq, xai, together, fireworks } = WIRE_VENDORS;

type Target = { readonly vendor: WireVendor; readonly model: string };

/** The effort that is sent, the same on every path; undefined if none is. */
function sent(effort: string, target: Target): unknown {
  const request = { reasoningEffort: effort };
  const bodies = [
    bodyFor(request, target),
    wireBodyFor({ reasoning_effort: effort }, { ...target, request }),
    wireBodyFor({ reasoning: { effort } }, { ...target, request }),
  ];
  const [translated, ...passedOn] = bodies.map((body) => {
    expect(body).not.toHaveProperty("reasoning");
    return body["reasoning_effort"];
  });
  for (const other of passedOn) expect(other).toEqual(translated);
  return translated;
}

function sentInResponse(reasoning: unknown, { vendor, model }: Target): unknown {
  const wire = { kind: "responses" as const, body: { input: "hi", reasoning } };
  const request = { messages: [], maxOutputTokens: 64, wire };
  return encodeResponseRequest(request, wire, { vendor, model, namespace: "acme" })["reasoning"];
}

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

describe("the reasoning effort", () => {
  test.each([
    ["mistral-small-latest", mistral, ["none", "none", "high", "high", "high", "high", "high"]],
    ["mistral-medium-3-5", mistral, ["none", "none", "high", "high", "high", "high", "high"]],
    ["openai/gpt-oss-120b", groq, ["low", "low", "low", "medium", "high", "high", "high"]],
    ["qwen/qwen3-32b", groq, ["none", "none", "default", "default", "default", "default", "default"]],
    ["grok-3-mini", xai, ["low", "low", "low", "low", "high", "high", "high"]],
    ["grok-4.3", xai, ["none", "low", "low", "medium", "high", "high", "high"]],
    ["grok-4.5", xai, ["low", "low", "low", "medium", "high", "high", "high"]],
  ] as const)("is sent to %s as the nearest value that it accepts", (model, vendor, expected) => {
    expect(EFFORTS.map((effort) => sent(effort, { vendor, model }))).toEqual([...expected]);
  });

  test.each([
    ["mistral-large-latest", mistral],
    ["mistral-small-2506", mistral],
    ["mistral-medium-2508", mistral],
    ["codestral-2508", mistral],
    ["ministral-8b-latest", mistral],
    ["devstral-latest", mistral],
    ["magistral-medium-latest", mistral],
    ["llama-3.3-70b-versatile", groq],
    ["meta-llama/llama-4-scout-17b-16e-instruct", groq],
    ["moonshotai/kimi-k2-instruct-0905", groq],
    ["grok-4-0709", xai],
    ["grok-4", xai],
    ["grok-4-1-fast-reasoning", xai],
    ["grok-4.20-0309-reasoning", xai],
    ["grok-code-fast-1", xai],
    ["grok-3", xai],
  ] as const)("is not sent to %s, which rejects it", (model, vendor) => {
    for (const effort of EFFORTS) expect(sent(effort, { vendor, model })).toBeUndefined();
  });

  test.each([
    ["mistral-next", mistral],
    ["groq/compound", groq],
    ["grok-4.20-multi-agent", xai],
    ["grok-5", xai],
    ["mistral-small-latest", together],
    ["openai/gpt-oss-120b", fireworks],
  ] as const)("is sent unchanged to %s, which we have no rule for", (model, vendor) => {
    for (const effort of EFFORTS) expect(sent(effort, { vendor, model })).toBe(effort);
  });

  test("with an unknown value is sent unchanged", () => {
    expect(sent("default", { vendor: groq, model: "qwen/qwen3-32b" })).toBe("default");
    expect(sent("a lot", { vendor: groq, model: "openai/gpt-oss-20b" })).toBe("a lot");
  });
});

describe("the reasoning effort in a Responses request", () => {
  test("becomes a value that the model accepts, beside the other reasoning options", () => {
    const target = { vendor: groq, model: "openai/gpt-oss-20b" };
    expect(sentInResponse({ effort: "xhigh", summary: "auto" }, target)).toEqual({
      effort: "high",
      summary: "auto",
    });
    expect(sentInResponse({ effort: "low" }, target)).toEqual({ effort: "low" });
  });

  test("is left out for a model that rejects it", () => {
    const target = { vendor: xai, model: "grok-4-0709" };
    expect(sentInResponse({ effort: "low" }, target)).toBeUndefined();
    expect(sentInResponse({ effort: "low", summary: "auto" }, target)).toEqual({ summary: "auto" });
  });

  test("is not added if the client sends none", () => {
    const target = { vendor: xai, model: "grok-4-0709" };
    expect(sentInResponse({ summary: "auto" }, target)).toEqual({ summary: "auto" });
    expect(sentInResponse(undefined, target)).toBeUndefined();
  });
});
