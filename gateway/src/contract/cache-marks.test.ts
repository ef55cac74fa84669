import { describe, expect, test } from "bun:test";
import { isMarkedByCaller, withMarks } from "./cache-marks.ts";
import type { ChatMessage, ChatRequest } from "./chat.ts";

const TALK: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "developer", content: "Be kind." },
  { role: "user", content: "Look" },
  { role: "assistant", content: "I look." },
  { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "see", arguments: "{}" }] },
  { role: "tool", toolCallId: "c1", content: "seen" },
];
const request = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: TALK,
  maxOutputTokens: 1,
  tools: [{ name: "see" }, { name: "hear" }],
  ...changes,
});

function marksIn({ messages, tools = [] }: ChatRequest): unknown[] {
  const marked = messages.flatMap((message, at) => ("cache" in message && message.cache ? [at] : []));
  return [...tools.filter(({ cache }) => cache).map(({ name }) => name), ...marked];
}

describe("a request is marked", () => {
  test.each([
    ["beginning", ["hear", 1]],
    // Two messages of the model are one turn.
    ["last turn", [2]],
    ["end", [5]],
  ] as const)("at its %s", (place, marks) => {
    expect(marksIn(withMarks(request(), [place]))).toEqual([...marks]);
  });

  test("nowhere if nothing is wanted, or if there is no such place", () => {
    const given = request();
    expect(withMarks(given, [])).toBe(given);
    const first = request({ messages: [{ role: "user", content: "Look" }], tools: [] });
    expect(marksIn(withMarks(first, ["beginning", "last turn"]))).toEqual([]);
    // What a provider is to go on with is the model's own text.
    const draft = request({ messages: TALK.slice(0, 4) });
    expect(marksIn(withMarks(draft, ["end"]))).toEqual([]);
  });

  test("without a change to what was given", () => {
    const given = request();
    withMarks(given, ["beginning", "last turn", "end"]);
    expect(given).toEqual(request());
  });
});

describe("a place of a conversation to which instructions were added", () => {
  const added = request({ messages: [...TALK, { role: "system", content: "Now be quick." }] });

  test.each([
    ["beginning", ["hear", 6]],
    ["last turn", [2]],
    ["end", [5]],
  ] as const)("is found as it will be sent, instructions first: %s", (place, marks) => {
    expect(marksIn(withMarks(added, [place]))).toEqual([...marks]);
  });
});

describe("a caller", () => {
  const ends = (last: ChatMessage) => request({ messages: [...TALK, last] });

  test("who marked nothing has marked nothing", () => {
    expect(isMarkedByCaller(request())).toBe(false);
    expect(isMarkedByCaller(request({ wireFields: { cache_control: null } }))).toBe(false);
  });

  test.each<[string, ChatRequest]>([
    ["a message", ends({ role: "user", content: "And?", cache: true })],
    ["a part", ends({ role: "user", content: [{ type: "text", text: "And?", cache: true }] })],
    ["a tool", request({ tools: [{ name: "see", cache: true }] })],
    ["the instructions", request({ messages: [{ role: "system", content: "a\nb", cacheAt: [1] }, ...TALK] })],
    ["all of it", request({ wireFields: { cache_control: { type: "ephemeral" } } })],
  ])("may mark %s", (_what, marked) => {
    expect(isMarkedByCaller(marked)).toBe(true);
  });
});
