import { expect, test } from "bun:test";
import { textsOf } from "./json-texts.ts";

test("textsOf returns keys and strings at any depth, and nothing else", () => {
  const value = { a: ["b", 1, null, { c: "d" }], e: true, f: [["b"]] };
  expect([...textsOf(value)]).toEqual(["a", "b", "c", "d", "e", "f"]);
  for (const none of [null, undefined, 1, []]) expect(textsOf(none).size).toBe(0);
});
