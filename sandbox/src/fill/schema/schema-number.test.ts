import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../../test/fastest.ts";
import { createRandom } from "../../random.ts";
import { isMultipleOf } from "../decimal.ts";
import { fitsNumber, makeNumber, numbersOf } from "./schema-number.ts";

describe("a made number", () => {
  test.each<[Record<string, number>, boolean, number[]]>([
    [{ minimum: 1_700_000_000_001 }, true, [1_700_000_000_001]],
    [{ minimum: 9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }, true, [9_007_199_254_740_991]],
    [{ multipleOf: 100, minimum: 1295, exclusiveMaximum: 1303 }, true, [1300]],
    [{ multipleOf: 2.5 }, true, [5]],
    [{ multipleOf: 2.5, minimum: -9, maximum: -4 }, true, [-5]],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 6 }, true, [6]],
    [{ multipleOf: 1e-15, exclusiveMinimum: 0, maximum: 1e-15 }, false, [1e-15]],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 1.000_000_000_000_000_4 }, false, [1.000_000_000_000_000_2]],
    [{ exclusiveMinimum: 2.5, exclusiveMaximum: 3.5 }, true, [3]],
    [{ maximum: -1e300 }, false, [-1e300]],
    [{ exclusiveMaximum: -1e300 }, false, [-1.5e300]],
    [{ exclusiveMinimum: 1e16 }, true, [10_000_000_000_000_002]],
    [{ minimum: 1e17, multipleOf: 7 }, true, [100_000_000_000_000_030]],
    [{ exclusiveMinimum: 1e14, multipleOf: 0.01 }, false, [100_000_000_000_000.02]],
  ])("for %j, whole: %p, is one of %j", (node, whole, expected) => {
    expect(expected).toContain(makeNumber(node, whole, 3));
  });

  test("is a multiple in binary floating point too", () => {
    const made = makeNumber({ multipleOf: 0.1, minimum: 0.25, maximum: 0.45 }, false, 1);
    expect(made).toBe(0.4);
  });

  test("fits its schema if any number does", () => {
    const step = fc.constantFrom(0, 2, 3, 7, 100, 0.5, 0.25, 0.1, 0.01, 2.5, 1e-9);
    const distance = fc.constantFrom(0, 0, 1, 2, 5, 0.1, 0.01, 100);
    const bounds = fc.tuple(distance, distance, fc.constantFrom("closed", "open", "none"));
    const input = fc.tuple(step, fc.integer({ min: -2000, max: 2_000_000 }), bounds, fc.boolean(), fc.nat());
    fc.assert(
      fc.property(input, ([multipleOf, at, [below, above, kind], isWhole, seed]) => {
        // First a value, then a schema that it fits.
        const value = Number((at * (multipleOf === 0 ? 0.01 : multipleOf)).toPrecision(12));
        const whole = isWhole && Number.isInteger(value);
        const node = {
          ...(multipleOf === 0 ? {} : { multipleOf }),
          ...(kind === "closed" ? { minimum: value - below, maximum: value + above } : {}),
          ...(kind === "open"
            ? { exclusiveMinimum: value - below - 0.5, exclusiveMaximum: value + above + 0.5 }
            : {}),
        };
        fc.pre(fitsNumber(node, value, whole));
        const made = makeNumber(node, whole, Math.floor(createRandom(seed)() * 9) + 1);
        expect(fitsNumber(node, made, whole)).toBe(true);
        if (multipleOf !== 0) expect(isMultipleOf(made, multipleOf)).toBe(true);
      }),
    );
  });

  test("is searched for only briefly if its step is finer than the precision of numbers", () => {
    const node = { multipleOf: 7e-7, minimum: 1e15, exclusiveMaximum: 1e15 + 3 };
    expect([...numbersOf(node, false, 5)].length).toBeLessThanOrEqual(22);
    const many = () => {
      for (let at = 0; at < 1_000; at++) makeNumber({ ...node, multipleOf: 1e-7 * (at + 1) }, false, 5);
    };
    expect(fastestMs(many, 5, 200)).toBeLessThan(200);
  });

  test("differs for each of twelve numbers of values to skip", () => {
    const twelve = Array.from({ length: 12 }, (_, at) => numbersOf({}, true, 4, at).next().value);
    expect(new Set(twelve).size).toBe(12);
  });
});
