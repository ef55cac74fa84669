import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AssertionError } from "./assert.ts";
import { creditDelta, credits, creditsFromSql, MAX_CREDITS, ZERO_CREDITS } from "./credits.ts";

const NEVER = [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 1e-9, MAX_CREDITS + 1, 2 ** 53, 1e300];

describe("credits", () => {
  test("an amount from 0 to the maximum keeps its value, also negative and from SQL", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_CREDITS }), (amount) => {
        expect(Number(credits(amount))).toBe(amount);
        expect(Number(creditDelta(-amount))).toBe(-amount);
        expect(Number(creditsFromSql(String(amount)))).toBe(amount);
      }),
    );
  });

  test.each([...NEVER, -1, -MAX_CREDITS])("%p is not an amount of credits", (value) => {
    expect(() => credits(value)).toThrow(AssertionError);
  });

  test.each([...NEVER, -MAX_CREDITS - 1])("%p is not a change of credits", (value) => {
    expect(() => creditDelta(value)).toThrow(AssertionError);
  });

  test.each(["-1", "1.5", "NaN", "9223372036854775807", "", " ", "12x", "0x10", "1e3"])(
    "%j from the database throws",
    (text) => {
      expect(() => creditsFromSql(text)).toThrow(AssertionError);
    },
  );

  test("range from 0 to 10^15, both included", () => {
    expect(Number(ZERO_CREDITS)).toBe(0);
    expect(MAX_CREDITS).toBe(1_000_000_000_000_000);
    expect(Number(credits(MAX_CREDITS))).toBe(MAX_CREDITS);
    expect(Number(creditDelta(-MAX_CREDITS))).toBe(-MAX_CREDITS);
  });

  test("the largest sum of two balances is still exact", () => {
    expect(Number.isSafeInteger(2 * MAX_CREDITS + 1)).toBe(true);
  });
});
