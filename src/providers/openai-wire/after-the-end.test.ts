import { describe, expect, test } from "bun:test";
import { decodeChunks, delta, wireChunks } from "./testing.ts";

const ended = (word: string) => delta({}, { finish_reason: word });
const say = (content: string) => delta({ content });

type Choice = { finish_reason: unknown };

function choicesOf(chunks: readonly unknown[]): Choice[] {
  return wireChunks(chunks).chunks.map(({ choices }) => (choices as Choice[])[0] as Choice);
}

describe("an answer that ends more than once", () => {
  test.each([
    ["length", "stop"],
    ["content_filter", "stop"],
    ["stop", "length"],
  ] as const)(
    "has ended as it said first, in neutral events and in the wire's words: %s, then %s",
    (first, second) => {
      const chunks = [say("a"), ended(first), ended(second)];
      expect(decodeChunks(chunks).at(-1)).toMatchObject({ type: "finish", reason: first });
      expect(wireChunks(chunks).finish.reason).toBe(first);
      expect(choicesOf(chunks).map(({ finish_reason: reason }) => reason)).toEqual([null, first]);
    },
  );

  test("says its end at once: nobody waits for what a server may send behind it", () => {
    const { wire } = wireChunks([say("a"), ended("stop"), { choices: [], timings: { x: 1 } }]);
    expect(wire.map(({ isClosing = false }) => isClosing)).toEqual([false, true, false]);
  });
});
