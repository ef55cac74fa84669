import { describe, expect, test } from "bun:test";
import { FIRST, isKnown, KNOWN, readBytes } from "./known-words.ts";
import { COSTS, slowUnits, UNITS_PER_TOKEN } from "./token-costs.ts";
import table from "./token-table.json" with { type: "json" };

const knows = (word: string) => isKnown(FIRST, readBytes(word));
const slowTokens = (word: string) => slowUnits(FIRST, readBytes(word)) / UNITS_PER_TOKEN;
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
      expect(error.mean).toBeLessThan(1.2);
      expect(error.p95).toBeLessThan(3.5);
    }
  });

  test("knows so few words that few others are mistaken for them", () => {
    expect(Math.log2(KNOWN.length) % 1).toBe(0);
    const bits = KNOWN.reduce(
      (sum, number) => sum + (number >>> 0).toString(2).replaceAll("0", "").length,
      0,
    );
    expect(bits / (KNOWN.length * 32)).toBeWithin(0.1, 0.2);
    const mistaken = Array.from({ length: 1_000 }, (_, seed) => nonsense(seed)).filter(knows);
    expect(mistaken.length).toBeLessThan(250);
  });

  test.each([" the", "the", "function", ".append", "});\n", " “", "\n\n", "don't", " için", "你好", " это"])(
    "knows the word %j",
    (word) => expect(knows(word)).toBe(true),
  );

  test("has costs that are whole, and none that is negative", () => {
    for (const cost of table.costs) expect(Number.isInteger(cost) && cost >= 0).toBe(true);
    expect(COSTS).toHaveLength(table.costs.length);
  });

  test("charges an unknown word at least 0.7 tokens beyond its first from four letters on", () => {
    for (const kind of [0, 1]) {
      for (let length = 4; length <= 24; length++) {
        expect((COSTS[kind * 32 + length] ?? 0) / UNITS_PER_TOKEN).toBeWithin(0.7, length);
      }
    }
  });

  test("charges about one token for three digits", () => {
    const digits = 6 * 32;
    for (const [length, tokens] of [
      [3, 0],
      [6, 1],
      [9, 2],
      [12, 3],
    ] as const) {
      expect((COSTS[digits + length] ?? 0) / UNITS_PER_TOKEN).toBeWithin(tokens * 0.9, tokens * 1.3 + 0.1);
    }
  });

  test("charges each byte of a long word, and less for one that follows its like", () => {
    for (const letter of ["x", "X", "%", " ", "7"]) {
      expect(slowTokens(letter.repeat(200))).toBeGreaterThanOrEqual(slowTokens(letter.repeat(100)));
    }
    expect(slowTokens("-".repeat(100))).toBeLessThan(slowTokens("-=".repeat(50)));
  });

  test("charges about one token for a known pair of letters of another script, and more for rare letters", () => {
    expect(slowTokens("你好")).toBeLessThan(1.3);
    expect(slowTokens("ꙮ")).toBeGreaterThan(slowTokens("你"));
    // The space before a Russian word is part of its token; without it, the word begins a new token.
    expect(slowTokens(" это")).toBe(0);
  });
});
