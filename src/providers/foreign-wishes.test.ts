import { expect, test } from "bun:test";
import type { ChatRequest, ResponseFormat } from "./contract.ts";
import { refuseForeignWishes } from "./foreign-wishes.ts";

function wishing(body: Record<string, unknown>, responseFormat?: ResponseFormat): ChatRequest {
  const wire = { kind: "chat_completions" as const, body, wantsWhole: false };
  return { messages: [], maxOutputTokens: 1, wire, ...(responseFormat ? { responseFormat } : {}) };
}

test.each([
  [{ response_format: { type: "json_schem" } }, "rejected: response_format: "],
  [{ response_format: { type: "grammar", grammar: "x" } }, "rejected: response_format: "],
  [{ logit_bias: { 50256: -100 } }, "rejected: logit_bias: "],
])("what has no words elsewhere is refused by its name: %j", (body, words) => {
  expect(() => refuseForeignWishes(wishing(body))).toThrow(words);
  expect(() => refuseForeignWishes(wishing(body))).toThrow(
    expect.objectContaining({ detail: { field: Object.keys(body)[0] } }),
  );
});

test("what says nothing, or has a neutral form, is not", () => {
  refuseForeignWishes(wishing({ response_format: null, logit_bias: {} }));
  refuseForeignWishes(wishing({ logit_bias: null }));
  refuseForeignWishes(wishing({ logit_bias: { 1: 0, 2: -0 } }));
  refuseForeignWishes(wishing({ response_format: { type: "json_object" } }, { type: "json" }));
  refuseForeignWishes({ messages: [], maxOutputTokens: 1 });
});
