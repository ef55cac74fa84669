import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../contract.ts";
import { decodeWholeReply } from "../passthrough/whole-reply.ts";
import { decodeChunks, decodeWhole, delta, expecting, wireChunks } from "../testing.ts";

const answer = (content: string, index?: number) => ({
  ...(index === undefined ? {} : { index }),
  message: { role: "assistant", content },
  finish_reason: "stop",
});
const piece = (content: string) => ({ delta: { content }, finish_reason: null });
const texts = (events: readonly ChatEvent[]) => events.filter(({ type }) => type === "text");

describe("several answers without a number", () => {
  const choices = [answer("a"), answer("b")];
  const INTO_PLACE: ChatEvent[] = [
    { type: "text", text: "a" },
    { type: "text", text: "b", index: 1 },
  ];

  test("are those that stand in their places", () => {
    expect(texts(decodeWhole({ choices }, { n: 2 }))).toEqual(INTO_PLACE);
    const ends = choices.map(() => ({ delta: {}, finish_reason: "stop" }));
    const chunks = [{ choices: [piece("a"), piece("b")] }, { choices: ends }];
    expect(texts(decodeChunks(chunks, { n: 2 }))).toEqual(INTO_PLACE);
  });

  test("are each told in a whole reply", () => {
    const [finish] = decodeWholeReply({ choices }, { ...expecting({ n: 2 }), form: { isFirstForm: false } });
    expect(finish).toMatchObject({
      whole: {
        choices: [
          { index: 0, message: { content: "a" } },
          { index: 1, message: { content: "b" } },
        ],
      },
    });
  });

  test("are the first where others have a number, or where one was asked for", () => {
    const some = { choices: [answer("b", 1), answer("a")] };
    expect(texts(decodeWhole(some, { n: 2 }))).toEqual(INTO_PLACE.toReversed());
    expect(texts(decodeWhole({ choices }))).toEqual([{ type: "text", text: "a" }]);
  });
});

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
});

describe("the word null for an end that has not come", () => {
  const word = (fields: object) => delta({ ...fields }, { finish_reason: "null" });
  const stream = [word({ role: "assistant", content: "so" }), word({ content: " it is" })];

  test("leaves the end to the one that comes", () => {
    const chunks = [...stream, delta({}, { finish_reason: "length" })];
    expect(decodeChunks(chunks).at(-1)).toMatchObject({ reason: "length" });
    const { wire, finish } = wireChunks(chunks);
    expect(finish).toMatchObject({ reason: "length" });
    expect(wire.filter(({ isClosing }) => isClosing)).toHaveLength(1);
  });

  test("is none at the end of a stream, too", () => {
    expect(() => decodeChunks(stream)).toThrow("broke off");
  });

  test("is an end in a whole reply, whose words are all there", () => {
    const reply = { choices: [{ ...answer("so"), finish_reason: "null" }] };
    expect(decodeWhole(reply).at(-1)).toMatchObject({ reason: "stop" });
  });
});
