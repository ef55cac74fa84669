import { expect, test } from "bun:test";
import { exactNumbersIn } from "./exact-numbers.ts";
import { decodeJson } from "./json-body.ts";

const numbersIn = (text: string) =>
  exactNumbersIn(decodeJson(new TextEncoder().encode(text), 8) as object).exactNumbers;

test("a body is known by the digits that it lost", () => {
  expect(numbersIn('{"seed":1234567890123456789,"again":[1234567890123456789]}')).toEqual(
    new Map([[1234567890123456800, "1234567890123456789"]]),
  );
  expect(numbersIn('{"seed":1234567890}')).toBeUndefined();
});

test("numbers that became the same stay what they became", () => {
  const text =
    '{"a":1234567890123456789,"b":1234567890123456790,"c":1234567890123456789,"d":9223372036854775807}';
  expect([...(numbersIn(text)?.values() ?? [])]).toEqual(["9223372036854775807"]);
});
