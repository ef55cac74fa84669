import { expect, test } from "bun:test";
import fc from "fast-check";
import { writeExactly } from "../../kit/index.ts";
import { exactNumbersIn } from "./exact-numbers.ts";
import { decodeJson } from "./json-body.ts";

const numbersIn = (text: string) => exactNumbersIn(decodeJson(new TextEncoder().encode(text), 8) as object);

test("a number that a double cannot hold is kept with its digits", () => {
  expect(numbersIn('{"seed":1234567890123456789,"again":[1234567890123456789]}')).toEqual(
    new Map([[1234567890123456800, "1234567890123456789"]]),
  );
  expect(numbersIn('{"seed":1234567890}')).toBeUndefined();
});

test("different numbers that round to the same double are not kept", () => {
  const text =
    '{"a":1234567890123456789,"b":1234567890123456790,"c":1234567890123456789,"d":9223372036854775807}';
  expect([...(numbersIn(text)?.values() ?? [])]).toEqual(["9223372036854775807"]);
});

test.each([
  ["9007199254740992", "9007199254740993"],
  ["9007199254740992.0", "9007199254740993"],
  ["9223372036854776000", "9223372036854775807"],
  ["1e18", "1000000000000000001"],
  ["-1E+18", "-1000000000000000001"],
])("if %s stands beside %s, which rounds to the same double, neither is kept", (held, lost) => {
  expect(numbersIn(`{"minimum":${held},"maximum":${lost}}`)).toBeUndefined();
  expect(numbersIn(`{"maximum":${lost},"minimum":${held}}`)).toBeUndefined();
});

test("a number that a double prints with the same digits is not kept", () => {
  expect(numbersIn('{"a":9007199254740992,"b":9223372036854776000}')).toBeUndefined();
});

test("a body with more long numbers than can be noted keeps none of them", () => {
  expect(numbersIn(`{"a":[${"1234567890123456789,".repeat(9_000)}0]}`)?.size).toBe(1);
  expect(numbersIn(`{"a":[${"1234567890123456789,".repeat(20_000)}1234567890123456790]}`)).toBeUndefined();
});

test("every number is sent as it was written or as it was rounded, never as another number", () => {
  const near = fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 4n });
  const forms = [
    (n: bigint) => `${n}`,
    (n: bigint) => `-${n}`,
    (n: bigint) => `${n}.0`,
    (n: bigint) => `${n}e0`,
  ];
  const number = fc.tuple(near, fc.constantFrom(...forms)).map(([n, form]) => form(n));
  const run = fc.property(fc.array(number, { minLength: 1, maxLength: 4 }), (texts) => {
    const body = decodeJson(new TextEncoder().encode(`[${texts}]`), 8) as object;
    const sent = writeExactly(body, exactNumbersIn(body) ?? new Map())
      .slice(1, -1)
      .split(",");
    for (const [at, text] of texts.entries()) expect([text, String(Number(text))]).toContain(sent[at] ?? "");
  });
  fc.assert(run);
});
