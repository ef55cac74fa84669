import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../contract.ts";
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

  test("says its words and calls once, and its end and usage from there", () => {
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

  test("is read from it where no delta had any words", () => {
    const events = decodeChunks([delta({ role: "assistant", content: "" }), whole({ content: "so it is" })]);
    expect(texts(events)).toEqual([{ type: "text", text: "so it is" }]);
  });

  test("may say pieces under that name from the first on", () => {
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
    ["calls behind a text", { content: "so" }, { tool_calls: [CALL] }, 'solook{"at":1}'],
    [
      "calls beside the text",
      { content: "so " },
      { content: "so it", tool_calls: [CALL] },
      'so look{"at":1}',
    ],
    ["a text behind thoughts", { reasoning_content: "hm" }, { content: "so" }, "hmso"],
    ["a text beside the thoughts", { reasoning: "hm" }, { content: "so", reasoning_content: "hm" }, "hmso"],
    [
      "a text beside the thoughts, in parts",
      { reasoning_content: "hm" },
      {
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "so" },
        ],
      },
      "hmso",
    ],
    ["a refusal behind a text", { content: "so" }, { content: "so", refusal: "no" }, "sono"],
    [
      "a call behind one of nothing",
      { tool_calls: [{ index: 0, function: { name: "", arguments: "" } }] },
      { tool_calls: [CALL] },
      'look{"at":1}',
    ],
    ["a text behind blanks", { content: "\n" }, { content: "so it" }, "\nso it"],
    ["no text twice that begins with a blank", { content: "so" }, { content: "\nso it" }, "so"],
    [
      "no thoughts twice that stand in parts",
      { content: [{ type: "thinking", thinking: "hm" }] },
      { content: "so", reasoning_content: "hm" },
      "hmso",
    ],
    [
      "no call twice in the wire's first form",
      { function_call: CALL.function },
      { function_call: CALL.function },
      'look{"at":1}',
    ],
    ["no refusal twice", { refusal: "no" }, { refusal: "no" }, "no"],
  ])("tells from it what no delta has told: %s", (_, first, last, told) => {
    const chunks = [delta({ ...first }), whole(last)];
    expect(writtenIn(chunks)).toBe(told);
    const words = decodeChunks(chunks).map((event) => {
      if (event.type === "tool_start") return event.name;
      return "text" in event ? event.text : "";
    });
    expect(words.join("")).toBe(told);
  });

  test("says its words once where they began with blanks", () => {
    const chunks = [delta({ content: "\n" }), delta({ content: "so " }), delta({ content: "it is" })];
    const events = decodeChunks([...chunks, whole({ content: "so it is" })]);
    expect(texts(events)).toHaveLength(chunks.length);
  });

  test("cites in it what the text has from elsewhere", () => {
    const annotations = [{ type: "url_citation" }];
    const chunks = [delta({ content: "so" }), whole({ content: "so", annotations })];
    expect(decodeChunks(chunks)).toContainEqual({ type: "annotations", content: annotations });
    expect(wireDeltas(chunks)).toEqual([{ role: "assistant", content: "so" }, { annotations }, {}]);
  });

  test("may say pieces in messages behind a delta, whatever they begin with", () => {
    const piece = (content: string) => ({ choices: [{ message: { content } }] });
    const chunks = [delta({ content: "a" }), piece("b"), piece("a"), piece("c"), whole({ content: "" })];
    expect(texts(decodeChunks(chunks)).map((event) => "text" in event && event.text)).toEqual([
      "a",
      "b",
      "a",
      "c",
    ]);
  });

  test("may say pieces of thoughts so, too", () => {
    const piece = (reasoning: string) => ({ choices: [{ message: { reasoning } }] });
    const chunks = [delta({ reasoning: "a" }), piece("b"), piece("a"), whole({ content: "so" })];
    expect(writtenIn(chunks)).toBe("abaso");
  });

  test("says thoughts once that came in parts behind a text", () => {
    const thought = delta({ content: [{ type: "thinking", thinking: "hm" }] });
    const chunks = [delta({ content: "so" }), thought, whole({ content: "so", reasoning_content: "hm" })];
    expect(writtenIn(chunks)).toBe("sohm");
  });

  test("says a call of any text once", () => {
    const custom = { index: 0, id: "c1", type: "custom", custom: { name: "patch", input: "*** Begin" } };
    const chunks = [delta({ tool_calls: [custom] }), whole({ tool_calls: [custom] })];
    expect(writtenIn(chunks)).toBe("patch*** Begin");
  });

  test("tells of each answer what was not told of that one", () => {
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
