import { expect, test } from "bun:test";
import { type ChatRequest, ProviderFailure } from "../contract/index.ts";
import { namingMessages, refusedPart } from "./refused-part.ts";

function asked(kind?: "chat_completions" | "responses"): ChatRequest {
  const request = { messages: [], maxOutputTokens: 1 };
  return kind === undefined ? request : { ...request, wire: { kind, body: {} } };
}

function refusing(request: ChatRequest, failure: Error) {
  return () =>
    namingMessages(request, () => {
      throw failure;
    });
}

test("a refused part names the field of the client's wire: messages, or input for responses", () => {
  const failure = refusedPart("no");
  expect(refusing(asked(), failure)).toThrow(failure);
  expect(refusing(asked("chat_completions"), failure)).toThrow(failure);
  expect(failure.detail).toEqual({ field: "messages" });
  const named = { kind: "rejected", publicMessage: "no", detail: { field: "input" } };
  expect(refusing(asked("responses"), failure)).toThrow(expect.objectContaining(named));
});

test("a refusal with param instead of field names input for responses, still as param", () => {
  const failure = new ProviderFailure("rejected", "no", { param: "messages" });
  const named = { publicMessage: "no", detail: { param: "input" } };
  expect(refusing(asked("responses"), failure)).toThrow(expect.objectContaining(named));
});

test("other errors, refusals of other fields and results pass through unchanged", () => {
  for (const failure of [new Error("no"), new ProviderFailure("rejected", "no", { field: "tools" })])
    expect(refusing(asked("responses"), failure)).toThrow(failure);
  expect(namingMessages(asked("responses"), () => 1)).toBe(1);
});
