import { expect, test } from "bun:test";
import { createRandom } from "../random.ts";
import { numbersOf } from "./make-number.ts";

test.each<[Record<string, number>, boolean, number[]]>([
  [{ minimum: 1_700_000_000_001 }, true, [1_700_000_000_001]],
  [{ minimum: 9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }, true, [9_007_199_254_740_991]],
  [{ multipleOf: 100, minimum: 1295, exclusiveMaximum: 1303 }, true, [1300]],
  [{ multipleOf: 2.5, minimum: 3, maximum: 9 }, true, [5]],
  [{ multipleOf: 0.1, minimum: 0.25, maximum: 0.45 }, false, [0.4]],
  [{ exclusiveMinimum: 2.5, exclusiveMaximum: 3.5 }, true, [3]],
  [{ exclusiveMinimum: 1e16 }, true, [10_000_000_000_000_002]],
  [{ maximum: -1e300 }, false, [-1e300]],
])("the first number for %j, whole: %p, is one of %j", (node, whole, expected) => {
  expect(expected).toContain([...numbersOf(node, whole, createRandom(1), 0)][0] ?? Number.NaN);
});

test("differs for each of twelve numbers of values to skip", () => {
  const twelve = Array.from({ length: 12 }, (_, at) => numbersOf({}, true, createRandom(1), at).next().value);
  expect(new Set(twelve).size).toBe(12);
});
