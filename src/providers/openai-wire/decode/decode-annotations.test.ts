import { expect, test } from "bun:test";
import { fastestMs } from "../../../../test/fastest.ts";
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

test("what a text cites is told after it, in a stream and in one piece", () => {
  const cited = { type: "annotations", content: [note] } as const;
  expect(decodeChunks([delta({ content: "See it." }), delta({ annotations: [note] }), STOP])).toEqual([
    text,
    cited,
    finish,
  ]);
  expect(whole({ content: "See it.", annotations: [note] })).toEqual([text, cited, finish]);
});

test.each([[[]], [null], ["none"]])("and nothing is told of no citations: %j", (annotations) => {
  expect(decodeChunks([delta({ content: "See it.", annotations }), STOP])).toEqual([text, finish]);
  expect(whole({ content: "See it.", annotations })).toEqual([text, finish]);
});

test("what a server cites again with every chunk is told once", () => {
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

test("many citations that are said again and again are told quickly", () => {
  const all = Array.from({ length: 1_000 }, (_, at) => ({ ...note, at }));
  const chunks = Array.from(
    { length: 30 },
    (_, at) => `${" ".repeat(at)}${JSON.stringify(delta({ annotations: all }))}`,
  );
  expect(fastestMs(() => decodeChunks([...chunks, STOP]), 3, 1_000)).toBeLessThan(1_000);
});
