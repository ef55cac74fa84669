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
