import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../../contract/index.ts";
import { decodeChunks, wireChunks } from "../testing.ts";

const of = (index: number, fields: object, finish_reason: string | null = null) => ({
  choices: [{ index, delta: fields, finish_reason }],
});
const fragment = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
const BEGUN = fragment({ id: "c1", type: "function", function: { name: "look", arguments: "" } });
const given = (text: string) => fragment({ function: { arguments: text } });
const TEXT = of(0, { content: "Let me look." });
const ENDS = [of(0, {}, "stop"), of(1, {}, "tool_calls")];
const CALL: ChatEvent[] = [
  { type: "tool_start", call: 0, id: "c1", name: "look" },
  { type: "tool_arguments", call: 0, text: '{"at":' },
  { type: "tool_arguments", call: 0, text: "1}" },
];

/** What both readers report as written. */
function written(chunks: readonly unknown[]): string {
  const neutral = decodeChunks(chunks).map((event) => {
    if (event.type === "tool_start") return event.name;
    return "text" in event ? event.text : "";
  });
  const wire = wireChunks(chunks).wire.map((event) => event.written);
  expect(wire.join("")).toBe(neutral.join(""));
  return neutral.join("");
}

describe("calls in a choice that was not requested", () => {
  const calls = [of(1, BEGUN), of(1, given('{"at":')), of(1, given("1}"))];

  test.each([
    ["after the text's finish reason", [TEXT, ENDS[0], ...calls, ENDS[1]]],
    ["before the text's finish reason", [TEXT, ...calls, ...ENDS]],
    [
      "in a chunk with both choices",
      [{ choices: [...TEXT.choices, ...of(1, BEGUN).choices] }, ...calls.slice(1), ...ENDS],
    ],
  ])("are added to the first choice if that has only text: %s", (_, chunks) => {
    expect(decodeChunks(chunks)).toEqual([
      { type: "text", text: "Let me look." },
      ...CALL,
      { type: "finish", reason: "tool_calls", usage: null },
    ]);
    expect(wireChunks(chunks).finish.reason).toBe("tool_calls");
    expect(written(chunks)).toBe('Let me look.look{"at":1}');
  });

  test("are dropped if their choice has text or a refusal of its own", () => {
    expect(written([TEXT, of(1, { content: "Or not." }), ...calls, ...ENDS])).toBe("Let me look.");
    expect(written([TEXT, of(1, { refusal: "No." }), ...calls, ...ENDS])).toBe("Let me look.");
    expect(written([TEXT, of(1, { content: "Or not.", ...BEGUN }), ...calls, ...ENDS])).toBe("Let me look.");
  });

  test("are dropped if the first choice has calls, or calls of another choice were added already", () => {
    const own = [TEXT, of(0, BEGUN), of(0, given("{}"))];
    expect(written([...own, ...calls, ...ENDS])).toBe("Let me look.look{}");
    expect(written([TEXT, ...calls, of(2, BEGUN), ...ENDS])).toBe('Let me look.look{"at":1}');
  });

  test("are dropped if several choices were requested", () => {
    const chunks = [TEXT, of(2, BEGUN), of(0, {}, "stop"), of(1, {}, "stop")];
    expect(decodeChunks(chunks, { n: 2 }).map(({ type }) => type)).toEqual(["text", "finish"]);
  });

  test("invalidate usage that was reported before them", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };
    const events = decodeChunks([{ ...TEXT, usage }, ...calls, ...ENDS]);
    expect(events.at(-1)).toMatchObject({ type: "finish", usage: null });
  });
});
