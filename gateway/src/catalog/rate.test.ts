import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ceilDivide, MAX_RATE_CREDITS, MICROS, parseRate, rateCredits, ZERO_RATE } from "./rate.ts";

describe("a price", () => {
  test.each([
    [0, 0n],
    [1, 1_000_000n],
    [0.1, 100_000n],
    [0.000001, 1n],
    [2.675, 2_675_000n],
    [999_999.999999, 999_999_999_999n],
    [MAX_RATE_CREDITS, 1_000_000_000_000n],
  ])("%p is parsed exactly", (written, micros) => {
    expect(parseRate(written)).toBe(micros as ReturnType<typeof parseRate>);
  });

  test.each([
    -1,
    -0.000001,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e-7,
    0.1234567,
    1_000_000.000001,
    1e18,
    0.1 + 0.2,
  ])("%p is refused", (written) => {
    expect(parseRate(written)).toBeUndefined();
  });

  test("with up to six decimals is parsed exactly and reads back as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (micros) => {
        const written = Number(`${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`);
        const rate = parseRate(written);
        expect(rate).toBe(BigInt(micros) as NonNullable<typeof rate>);
        if (rate !== undefined) expect(rateCredits(rate)).toBe(written);
      }),
    );
  });
});

describe("rounding up", () => {
  test.each([
    [0n, 1n, 0n],
    [1n, 1n, 1n],
    [1n, MICROS, 1n],
    [MICROS, MICROS, 1n],
    [MICROS + 1n, MICROS, 2n],
    [ZERO_RATE, MICROS, 0n],
  ])("of %p by %p is %p", (amount, divisor, expected) => {
    expect(ceilDivide(amount, divisor)).toBe(expected);
  });

  test("throws for a negative amount, and for a divisor of 0 or less", () => {
    for (const [amount, divisor] of [
      [-1n, 1n],
      [1n, 0n],
      [1n, -1n],
      [-1n, -1n],
    ] as const)
      expect(() => ceilDivide(amount, divisor)).toThrow("prices are never negative");
  });
});
