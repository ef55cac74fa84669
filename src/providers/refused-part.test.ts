import { expect, test } from "bun:test";
import { type ChatRequest, ProviderFailure } from "./contract.ts";
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

test("a refused part is said to stand where its client has put it", () => {
  const failure = refusedPart("no");
  expect(refusing(asked(), failure)).toThrow(failure);
  expect(refusing(asked("chat_completions"), failure)).toThrow(failure);
  expect(failure.detail).toEqual({ field: "messages" });
  const named = { kind: "rejected", publicMessage: "no", detail: { field: "input" } };
  expect(refusing(asked("responses"), failure)).toThrow(expect.objectContaining(named));
});

test("one that nobody can read stays so", () => {
  const failure = new ProviderFailure("rejected", "no", { param: "messages" });
  const named = { publicMessage: "no", detail: { param: "input" } };
  expect(refusing(asked("responses"), failure)).toThrow(expect.objectContaining(named));
});

test("what is about something else, or no refusal, is left as it is", () => {
  for (const failure of [new Error("no"), new ProviderFailure("rejected", "no", { field: "tools" })])
    expect(refusing(asked("responses"), failure)).toThrow(failure);
  expect(namingMessages(asked("responses"), () => 1)).toBe(1);
});
