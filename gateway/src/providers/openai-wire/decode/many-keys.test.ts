import { expect, test } from "bun:test";
import { neutralReading } from "../reading.ts";
import { decodeChunks, delta, expecting, STOP } from "../testing.ts";
import { MOST_CHAT_KEYS } from "./decode-chunk.ts";
import { decodeReply } from "./decode-reply.ts";
import { createStreamDecoder } from "./decode-stream.ts";

const many = (count: number) => Array(count).fill({ a: 1 });

test("a chunk with more keys than any answer has fails, after what came before", () => {
  const more = (count: number) => delta({ content: "b", more: many(count) });
  const first = delta({ content: "a" });
  // Its other keys.
  const most = MOST_CHAT_KEYS - 5;
  expect(decodeChunks([first, more(most), STOP])).toHaveLength(3);
  const decoder = createStreamDecoder(expecting());
  const events = [first, more(most + 1)].map((chunk) => ({ event: "message", data: JSON.stringify(chunk) }));
  expect(decoder.push(events)).toEqual([{ type: "text", text: "a" }]);
  expect(() => decoder.end()).toThrow(
    expect.objectContaining({ detail: expect.objectContaining({ isExcess: true }) }),
  );
});

test("a reply in one piece with more keys than any answer has fails", () => {
  const reply = (count: number) => {
    const message = { content: "Hi", more: many(count) };
    const text = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
    return decodeReply(text, neutralReading(expecting()));
  };
  const most = MOST_CHAT_KEYS - 6;
  expect(reply(most)).toHaveLength(2);
  expect(() => reply(most + 1)).toThrow(
    expect.objectContaining({ detail: expect.objectContaining({ isExcess: true }) }),
  );
});
