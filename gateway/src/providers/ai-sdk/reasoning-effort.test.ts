import { expect, test } from "bun:test";
import type { ChatRequest, WireRequest } from "../../contract/index.ts";
import { readEffort } from "./reasoning-effort.ts";

function asked(effort: string, kind: WireRequest["kind"], body: Record<string, unknown>): ChatRequest {
  return {
    messages: [],
    maxOutputTokens: 9,
    reasoningEffort: effort,
    wire: { kind, body },
  };
}

test.each<[WireRequest["kind"], Record<string, unknown>, string]>([
  ["chat_completions", { reasoning_effort: "huge" }, "reasoning_effort"],
  ["chat_completions", { reasoning: { effort: "huge" } }, "reasoning.effort"],
  ["responses", { reasoning: { effort: "huge" }, reasoning_effort: "low" }, "reasoning.effort"],
])("an unknown effort is refused with the name of the caller's field: %s %j", (kind, body, field) => {
  const words = `${field}: must be one of none, minimal, low, medium, high, xhigh, max.`;
  let failure: unknown;
  try {
    readEffort(asked("huge", kind, body));
  } catch (error) {
    failure = error;
  }
  // The field is named, because another target may know the value.
  expect(failure).toMatchObject({ kind: "rejected", publicMessage: words, detail: { field } });
});

test("a known effort is returned, and a missing one is null", () => {
  expect(readEffort(asked("xhigh", "responses", {}))).toBe("xhigh");
  expect(readEffort({ messages: [], maxOutputTokens: 9 })).toBeNull();
});
