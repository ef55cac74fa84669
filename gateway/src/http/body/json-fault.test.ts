import { expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { findJsonFault, findRepeatedKey } from "./json-fault.ts";
import { readJson } from "./json-testing.ts";

test.each([
  ["{'model':1}", 1],
  ["{“model”:1}", 1],
  ['{"model":1,}', 11],
  ['{"model":1', 10],
  ['{"model" 1}', 9],
  ["nofile.json", 0],
  ['{"a":01}', 6],
  ['{"a":"b\nc"}', 7],
  ['{"a":"b\\xc"}', 7],
  ['{"a":"b\\u12g4"}', 7],
  ['{"a', 3],
  ['{"a":"b', 7],
  ['{"a":"b\\', 8],
  ['{"a":"b\\u00', 11],
  ['{"a":1 "b', 7],
  ['{"a" "b', 5],
  ["[1,]", 3],
  ["{}{}", 2],
  ["", 0],
])("%j stops being JSON at %d", (text, at) => {
  expect(findJsonFault(text)).toBe(at);
});

test("a fault is found exactly in texts that JSON.parse refuses", () => {
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

test("a fault is not searched for in a text of 300,000 characters", () => {
  expect(findJsonFault(`[${" ".repeat(300_000)}`)).toBeNull();
});

test("a text that ends within a string full of escapes is checked within 15 ms", () => {
  for (const unit of ["\\n", "a\\n", "\\u0041", "a"]) {
    const text = `{"a":"${unit.repeat(Math.floor(250_000 / unit.length))}`;
    expect(findJsonFault(text)).toBe(text.length);
    expect(
      fastestMs(() => findJsonFault(text)),
      unit,
    ).toBeLessThan(15);
  }
});

test("the fault of a text that ends within a string is at its end", () => {
  const run = fc.property(fc.string({ unit: "binary" }), fc.nat(), (said, at) => {
    const text = JSON.stringify([said]);
    const cut = 2 + (at % (text.length - 3));
    expect(findJsonFault(text.slice(0, cut))).toBe(cut);
  });
  fc.assert(run);
});

test.each([
  ['{"a":1,"a":2}', ["a"]],
  ['{"a":[{"b":1},{"b":"\\"","c" : {"d":[],"d":1}}]}', ["a", 1, "c", "d"]],
  ['{"\\u0061":1,"b":["a","a"],"a":{}}', ["a"]],
  ['{"a":{"a":1},"b":{"a":"\\\\"},"c":"a","d":["x",{"e":1}]}', null],
  [`{"pad":"${"x".repeat(300_000)}","a":1,"a":2}`, null],
])("%#: a repeated key is found where it is written again", (text, place) => {
  expect(findRepeatedKey(text)).toEqual(place);
});

test("a key is found to be repeated exactly where one is", () => {
  const name = fc.constantFrom("a", "b", "{", '"', ":", "\\");
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("1", '"a"', '",{"', "null"),
      fc
        .array(tie("tree") as fc.Arbitrary<string>, { maxLength: 3 })
        .map((parts) => `[${parts.join(" , ")}]`),
      fc
        .array(fc.tuple(name, tie("tree") as fc.Arbitrary<string>), { maxLength: 3 })
        .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} :${value}`).join(",")}}`),
    ),
  }));
  fc.assert(
    fc.property(tree, (text) => {
      const written = readJson(new TextEncoder().encode(text), 64);
      expect(findRepeatedKey(text) === null).toBe(written.ok);
    }),
  );
});
