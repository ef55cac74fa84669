import { describe, expect, test } from "bun:test";
import type { ChatEvent } from "../../../contract/index.ts";
import { decodeWholeReply } from "../passthrough/whole-reply.ts";
import { decodeChunks, decodeWhole, delta, expecting, wireChunks } from "../testing.ts";

const answer = (content: string, index?: number) => ({
  ...(index === undefined ? {} : { index }),
  message: { role: "assistant", content },
  finish_reason: "stop",
});
const piece = (content: string) => ({ delta: { content }, finish_reason: null });
const texts = (events: readonly ChatEvent[]) => events.filter(({ type }) => type === "text");

describe("choices without an index", () => {
  const choices = [answer("a"), answer("b")];
  const INTO_PLACE: ChatEvent[] = [
    { type: "text", text: "a" },
    { type: "text", text: "b", index: 1 },
  ];

  test("get the index of their position if several were requested", () => {
    expect(texts(decodeWhole({ choices }, { n: 2 }))).toEqual(INTO_PLACE);
    const ends = choices.map(() => ({ delta: {}, finish_reason: "stop" }));
    const chunks = [{ choices: [piece("a"), piece("b")] }, { choices: ends }];
    expect(texts(decodeChunks(chunks, { n: 2 }))).toEqual(INTO_PLACE);
  });

  test("are all in a whole reply", () => {
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

  test("have index 0 if other choices have an index; only the first counts if one was requested", () => {
    const some = { choices: [answer("b", 1), answer("a")] };
    expect(texts(decodeWhole(some, { n: 2 }))).toEqual(INTO_PLACE.toReversed());
    expect(texts(decodeWhole({ choices }))).toEqual([{ type: "text", text: "a" }]);
  });
});

describe('a finish reason that is the text "null"', () => {
  const word = (fields: object) => delta({ ...fields }, { finish_reason: "null" });
  const stream = [word({ role: "assistant", content: "so" }), word({ content: " it is" })];

  test("is no end if another finish reason follows", () => {
    const chunks = [...stream, delta({}, { finish_reason: "length" })];
    expect(decodeChunks(chunks).at(-1)).toMatchObject({ reason: "length" });
    const { wire, finish } = wireChunks(chunks);
    expect(finish).toMatchObject({ reason: "length" });
    expect(wire.filter(({ isClosing }) => isClosing)).toHaveLength(1);
  });

  test("is no end of a stream: the answer broke off", () => {
    expect(() => decodeChunks(stream)).toThrow("broke off");
  });

  test("counts as stop in a whole reply", () => {
    const reply = { choices: [{ ...answer("so"), finish_reason: "null" }] };
    expect(decodeWhole(reply).at(-1)).toMatchObject({ reason: "stop" });
  });
});
