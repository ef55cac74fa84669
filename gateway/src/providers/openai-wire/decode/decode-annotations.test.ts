import { expect, test } from "bun:test";
import { fastestMs } from "../../../../../test/fastest.ts";
import { neutralReading } from "../reading.ts";
import { decodeChunks, delta, expecting, STOP } from "../testing.ts";
import { decodeReply } from "./decode-reply.ts";

const note = { type: "url_citation", url_citation: { url: "https://a.example" } };
const text = { type: "text", text: "See it." } as const;
const finish = { type: "finish", reason: "stop", usage: null } as const;
const whole = (message: object) =>
  decodeReply(
    JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }),
    neutralReading(expecting()),
  );

test("annotations are reported after their text, in a stream and in a whole reply", () => {
  const cited = { type: "annotations", content: [note] } as const;
  expect(decodeChunks([delta({ content: "See it." }), delta({ annotations: [note] }), STOP])).toEqual([
    text,
    cited,
    finish,
  ]);
  expect(whole({ content: "See it.", annotations: [note] })).toEqual([text, cited, finish]);
});

test.each([[[]], [null], ["none"]])("empty or invalid annotations are not reported: %j", (annotations) => {
  expect(decodeChunks([delta({ content: "See it.", annotations }), STOP])).toEqual([text, finish]);
  expect(whole({ content: "See it.", annotations })).toEqual([text, finish]);
});

test("annotations that a server repeats with every chunk are reported once", () => {
  const other = { ...note, url_citation: { url: "https://b.example" } };
  const say = (...annotations: object[]) => delta({ content: "See it.", annotations });
  expect(decodeChunks([say(note), say(note), say(note, other), say(other), STOP])).toEqual([
    text,
    { type: "annotations", content: [note] },
    text,
    text,
    { type: "annotations", content: [other] },
    text,
    finish,
  ]);
});

test("1,000 annotations repeated in 30 chunks are decoded in less than a second", () => {
  const all = Array.from({ length: 1_000 }, (_, at) => ({ ...note, at }));
  const chunks = Array.from(
    { length: 30 },
    (_, at) => `${" ".repeat(at)}${JSON.stringify(delta({ annotations: all }))}`,
  );
  expect(fastestMs(() => decodeChunks([...chunks, STOP]), 3, 1_000)).toBeLessThan(1_000);
});
