import { describe, expect, test } from "bun:test";
import { credits, MAX_CREDITS } from "../kit/index.ts";
import { worthCents } from "./billing.ts";

describe("the value of credits", () => {
  test.each([
    [150_000, 1_000, 15_000],
    [50_001, 1_000, 5_000],
    [9, 1_000, 0],
    [10, 1_000, 1],
    [0, 1_000_000, 0],
    [3, 1_000_000, 300],
    [1_000_000, 1, 100],
    [999_999, 1, 99],
  ])("of %d credits at %d millionths of a dollar is %d cents, rounded down", (amount, micros, cents) => {
    expect(worthCents(credits(amount), micros)).toBe(cents);
  });

  test("is exact where doubles are not", () => {
    expect(worthCents(credits(900_719_925_474_099), 99_999)).toBe(9_007_109_182_748_442);
    expect(worthCents(credits(MAX_CREDITS), 1)).toBe(100_000_000_000);
  });
});
