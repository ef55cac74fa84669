import { expect, test } from "bun:test";
import fc from "fast-check";
import { findJsonFault } from "./json-fault.ts";

test.each([
  ["{'model':1}", 1],
  ["{“model”:1}", 1],
  ['{"model":1,}', 11],
  ['{"model":1', 10],
  ['{"model" 1}', 9],
  ["nofile.json", 0],
  ['{"a":01}', 6],
  ['{"a":"b\nc"}', 5],
  ["[1,]", 3],
  ["{}{}", 2],
  ["", 0],
])("%j stops being JSON at %d", (text, at) => {
  expect(findJsonFault(text)).toBe(at);
});

test("exactly what the parser refuses has a fault", () => {
  const signs = fc.constantFrom(...'{}[],:" \\ntrue0-1.e'.split(""), "true", '"a"', "\u0001", "12");
  const spoiled = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3), fc.array(signs, { maxLength: 2 }))
    .map(([text, at, cut, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put.join("") + text.slice(from + cut);
    });
  fc.assert(
    fc.property(
      fc.oneof(
        spoiled,
        fc.array(signs).map((some) => some.join("")),
      ),
      (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(findJsonFault(text) === null).toBe(isJson);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a long text is not read again", () => {
  expect(findJsonFault(`[${" ".repeat(300_000)}`)).toBeNull();
});
