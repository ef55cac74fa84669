import { expect, test } from "bun:test";
import { delta, STOP, wholeOf, wireChunks } from "../testing.ts";

const MANY = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`unknown${at}`, at]));

function unknownIn(object: object | undefined): number {
  return Object.keys(object ?? {}).filter((name) => name.startsWith("unknown")).length;
}

test("a stream keeps a thousand unknown fields of an object, and whatever is known after them", () => {
  const said = { content: "a", annotations: [{ type: "url_citation" }], reasoning_details: [{ text: "t" }] };
  const [chunk] = wireChunks([{ ...MANY, ...delta({ ...MANY, ...said }, MANY) }, STOP]).chunks;
  const [choice] = (chunk?.choices ?? []) as { delta: object }[];
  expect([chunk, choice, choice?.delta].map(unknownIn)).toEqual([1_000, 1_000, 1_000]);
  expect(choice?.delta).toMatchObject(said);
});

test("a reply in one piece keeps a thousand unknown fields of its message, and what it says after them", () => {
  const choices = [{ index: 0, message: { ...MANY, content: "Hi" }, finish_reason: "stop" }];
  const [choice] = wholeOf({ choices })["choices"] as { message: object }[];
  expect(unknownIn(choice?.message)).toBe(1_000);
  expect(choice?.message).toMatchObject({ content: "Hi" });
});
