import { describe, expect, test } from "bun:test";
import { UNITS_PER_TOKEN, unknownUnits } from "./token-cost.ts";
import { FILTER, hashOn, isKnown, LONGEST_KNOWN } from "./token-filter.ts";
import { digitUnits, foreignUnits } from "./token-runs.ts";
import table from "./token-table.json" with { type: "json" };

const hashOf = (word: string) => [...word].reduce((hash, letter) => hashOn(hash, letter.charCodeAt(0)), 0);
/** Letters in no order that any language has, so that none is a token. */
const nonsense = (seed: number) =>
  Array.from({ length: 9 }, (_, at) =>
    String.fromCharCode(97 + ((seed * 31 + at * at * 17 + at * seed) % 26)),
  ).join("");

describe("the table of the estimator", () => {
  test("records how it was made, with errors below the targets on unseen conversations", () => {
    const { ownGroupUnseen, ownSourceUnseen } = table.made.errorPercent;
    expect(table.made.by).toContain("fit-estimator");
    for (const error of [ownGroupUnseen, ownSourceUnseen]) {
      expect(error.mean).toBeLessThan(2.2);
      expect(error.p95).toBeLessThan(6);
    }
  });

  test("has a filter whose size is a power of two and which is at most about a third full", () => {
    expect(Math.log2(FILTER.length) % 1).toBe(0);
    const bits = FILTER.reduce(
      (sum, number) => sum + (number >>> 0).toString(2).replaceAll("0", "").length,
      0,
    );
    expect(bits / (FILTER.length * 32)).toBeWithin(0.1, 0.34);
  });

  test.each([" the", "the", "function", ".append", "});\n", " “", "\n\n", "don't", " için", "你好", " это"])(
    "knows the word %j",
    (word) => expect(isKnown(hashOf(word))).toBe(true),
  );

  test("mistakes less than 12 % of nonsense words for known ones", () => {
    const mistaken = Array.from({ length: 1_000 }, (_, seed) => nonsense(seed)).filter((word) =>
      isKnown(hashOf(word)),
    );
    expect(mistaken.length).toBeLessThan(120);
  });

  test("knows the empty word", () => {
    expect(isKnown(0)).toBe(true);
  });

  test("charges an unknown word at least 0.8 tokens, and a very long one more with each letter", () => {
    for (const letter of ["x", "X", "é", "%", "→"]) {
      let previous = 0;
      for (let length = 2; length <= LONGEST_KNOWN; length++) {
        const units = unknownUnits(letter.repeat(length), 0, length);
        expect(units / UNITS_PER_TOKEN).toBeWithin(0.8, length + 1);
      }
      for (let length = LONGEST_KNOWN + 1; length < 200; length++) {
        const units = unknownUnits(letter.repeat(length), 0, length);
        expect(units).toBeGreaterThan(previous);
        previous = units;
      }
    }
  });

  test("charges one token for three digits", () => {
    expect([1, 3, 4, 9].map((digits) => digitUnits(digits) / UNITS_PER_TOKEN)).toEqual([1, 1, 2, 3]);
  });

  test("charges about one token for a known pair of letters of another script, and more for rare letters", () => {
    const units = (text: string) => foreignUnits(text, 0, text.length, 0) / UNITS_PER_TOKEN;
    expect(units("你好")).toBeLessThan(1.3);
    expect(units("ꙮ")).toBeGreaterThan(units("你"));
    // The space before a Russian word is part of its token; without it, the word begins a new token.
    expect(foreignUnits("это", 0, 3, hashOn(0, 32))).toBeLessThan(foreignUnits("это", 0, 3, 0));
  });
});
