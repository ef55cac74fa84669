import { expect, test } from "bun:test";
import fc from "fast-check";
import { mayHaveLongNumber, parseExactly, writeExactly } from "./exact-json.ts";

test.each([
  '{"id":1234567890123456789}',
  '{"a":[-9223372036854775808,0.12345678901234567890,1e2],"":18446744073709551615}',
  '{"__proto__":{"id":1234567890123456789},"text":"1234567890123456789"}',
  "1234567890123456789",
])("long numbers survive parsing and writing: %s", (text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text.replace("1e2", "100"));
});

test("a text without long numbers is parsed as by JSON.parse", () => {
  const text = '{"a":[1.10,123456789012345,null,true,"x"]}';
  expect(mayHaveLongNumber(text)).toBe(false);
  expect(parseExactly(text)).toEqual(JSON.parse(text));
});

test("any JSON beside a long number keeps its meaning", () => {
  const run = fc.property(fc.json(), (json) => {
    const text = `[1234567890123456789,${json}]`;
    expect(JSON.parse(JSON.stringify(parseExactly(text)))).toEqual(JSON.parse(text));
  });
  fc.assert(run);
});

test("writeExactly writes numbers with their original digits", () => {
  const text =
    '{"seed":1234567890123456789,"more":[{"maximum":9223372036854775807},1.5,"1234567890123456800"]}';
  const written = new Map(
    ["1234567890123456789", "9223372036854775807"].map((digits) => [Number(digits), digits]),
  );
  expect(writeExactly(JSON.parse(text), written)).toBe(text);
});
