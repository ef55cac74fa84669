import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../../contract/index.ts";
import { decodeChunks, delta, wireChunks, wireDeltas } from "../testing.ts";

const writtenIn = (chunks: readonly unknown[]) =>
  wireChunks(chunks)
    .wire.map(({ written }) => written)
    .join("");
const texts = (events: readonly ChatEvent[]) => events.filter(({ type }) => type === "text");

describe("a stream that ends with its whole message", () => {
  const CALL = { index: 0, id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
  const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };
  const whole = (message: object) => ({
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
    usage,
  });
  const said = [
    delta({ role: "assistant", content: "" }),
    delta({ reasoning_content: "hm" }),
    delta({ content: "so " }),
    delta({ content: "it is" }),
    delta({ tool_calls: [CALL] }),
    whole({ content: "so it is", reasoning_content: "hm", tool_calls: [CALL] }),
  ];

  test("reports text and calls once, and takes finish reason and usage from that message", () => {
    expect(decodeChunks(said)).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "so " },
      { type: "text", text: "it is" },
      { type: "tool_start", call: 0, id: "c1", name: "look" },
      { type: "tool_arguments", call: 0, text: '{"at":1}' },
      { type: "finish", reason: "tool_calls", usage: { inputTokens: 9, outputTokens: 2 } },
    ]);
    const { wire, finish } = wireChunks(said);
    expect(wire.map(({ written }) => written).join("")).toBe('hmso it islook{"at":1}');
    expect(finish).toMatchObject({ reason: "tool_calls", usage: { outputTokens: 2 } });
  });

  test("takes the text from that message if no delta had any", () => {
    const events = decodeChunks([delta({ role: "assistant", content: "" }), whole({ content: "so it is" })]);
    expect(texts(events)).toEqual([{ type: "text", text: "so it is" }]);
  });

  test("may send pieces as messages from the first chunk on", () => {
    const events = decodeChunks([
      { choices: [{ message: { content: "so " } }] },
      whole({ content: "it is" }),
    ]);
    expect(texts(events)).toEqual([
      { type: "text", text: "so " },
      { type: "text", text: "it is" },
    ]);
  });

  test.each<[string, object, object, string]>([
    ["calls after text", { content: "so" }, { tool_calls: [CALL] }, 'solook{"at":1}'],
    [
      "calls beside the text",
      { content: "so " },
      { content: "so it", tool_calls: [CALL] },
      'so look{"at":1}',
    ],
    ["text after reasoning", { reasoning_content: "hm" }, { content: "so" }, "hmso"],
    ["text beside the reasoning", { reasoning: "hm" }, { content: "so", reasoning_content: "hm" }, "hmso"],
    [
      "text beside the reasoning, in parts",
      { reasoning_content: "hm" },
      {
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "so" },
        ],
      },
      "hmso",
    ],
    ["a refusal after text", { content: "so" }, { content: "so", refusal: "no" }, "sono"],
    [
      "a call after an empty one",
      { tool_calls: [{ index: 0, function: { name: "", arguments: "" } }] },
      { tool_calls: [CALL] },
      'look{"at":1}',
    ],
    ["text after whitespace", { content: "\n" }, { content: "so it" }, "\nso it"],
    ["text that begins with whitespace, not twice", { content: "so" }, { content: "\nso it" }, "so"],
    [
      "reasoning in parts, not twice",
      { content: [{ type: "thinking", thinking: "hm" }] },
      { content: "so", reasoning_content: "hm" },
      "hmso",
    ],
    [
      "a legacy function_call, not twice",
      { function_call: CALL.function },
      { function_call: CALL.function },
      'look{"at":1}',
    ],
    ["a refusal, not twice", { refusal: "no" }, { refusal: "no" }, "no"],
  ])("takes from that message only what no delta has sent: %s", (_, first, last, told) => {
    const chunks = [delta({ ...first }), whole(last)];
    expect(writtenIn(chunks)).toBe(told);
    const words = decodeChunks(chunks).map((event) => {
      if (event.type === "tool_start") return event.name;
      return "text" in event ? event.text : "";
    });
    expect(words.join("")).toBe(told);
  });

  test("reports text once if the deltas began with whitespace", () => {
    const chunks = [delta({ content: "\n" }), delta({ content: "so " }), delta({ content: "it is" })];
    const events = decodeChunks([...chunks, whole({ content: "so it is" })]);
    expect(texts(events)).toHaveLength(chunks.length);
  });

  test("takes annotations from that message", () => {
    const annotations = [{ type: "url_citation" }];
    const chunks = [delta({ content: "so" }), whole({ content: "so", annotations })];
    expect(decodeChunks(chunks)).toContainEqual({ type: "annotations", content: annotations });
    expect(wireDeltas(chunks)).toEqual([{ role: "assistant", content: "so" }, { annotations }, {}]);
  });

  test("may send pieces as messages after a delta, even if they begin alike", () => {
    const piece = (content: string) => ({ choices: [{ message: { content } }] });
    const chunks = [delta({ content: "a" }), piece("b"), piece("a"), piece("c"), whole({ content: "" })];
    expect(texts(decodeChunks(chunks)).map((event) => "text" in event && event.text)).toEqual([
      "a",
      "b",
      "a",
      "c",
    ]);
  });

  test("may send pieces of reasoning as messages after a delta, too", () => {
    const piece = (reasoning: string) => ({ choices: [{ message: { reasoning } }] });
    const chunks = [delta({ reasoning: "a" }), piece("b"), piece("a"), whole({ content: "so" })];
    expect(writtenIn(chunks)).toBe("abaso");
  });

  test("reports reasoning once that came in parts after text", () => {
    const thought = delta({ content: [{ type: "thinking", thinking: "hm" }] });
    const chunks = [delta({ content: "so" }), thought, whole({ content: "so", reasoning_content: "hm" })];
    expect(writtenIn(chunks)).toBe("sohm");
  });

  test("reports a custom tool call once", () => {
    const custom = { index: 0, id: "c1", type: "custom", custom: { name: "patch", input: "*** Begin" } };
    const chunks = [delta({ tool_calls: [custom] }), whole({ tool_calls: [custom] })];
    expect(writtenIn(chunks)).toBe("patch*** Begin");
  });

  test("completes each choice with what its own deltas have not sent", () => {
    const of = (index: number, fields: object) => ({ choices: [{ index, ...fields }] });
    const ends = (index: number, message: object) => of(index, { message, finish_reason: "stop" });
    const events = decodeChunks(
      [
        of(0, { delta: { content: "so" } }),
        of(1, { delta: { reasoning_content: "hm" } }),
        ends(0, { content: "so", reasoning_content: "well" }),
        ends(1, { content: "so", reasoning_content: "hm" }),
      ],
      { n: 2 },
    );
    expect(events.slice(0, -1)).toEqual([
      { type: "text", text: "so" },
      { type: "reasoning", text: "hm", index: 1 },
      { type: "reasoning", text: "well" },
      { type: "text", text: "so", index: 1 },
    ]);
  });
});
