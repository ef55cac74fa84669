import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fastestMs } from "../../../test/fastest.ts";
import { estimateTokens } from "./estimate.ts";

/** Our own texts, their count by the o200k encoding, and the error allowed. */
const COUNTED = [
  {
    name: "English prose",
    text: "A purser keeps the money of a ship. Before every voyage she counts what is in the chest, and after every purchase she writes down what was bought, from whom, and what is left. Nobody may spend more than the chest holds, however urgent the errand, because a promise that cannot be paid is worth less than a plain refusal.",
    tokens: 70,
    percent: 5,
  },
  {
    name: "a letter with numbers",
    text: "Dear Anna,\n\nyour order of 1,250 sheets left our warehouse on 14 March 2026 and should reach you within 3 to 5 working days. The invoice (no. 88213) over 417.90 euros is enclosed; please pay it by 30 April.\n\nKind regards,\nTom",
    tokens: 64,
    percent: 5,
  },
  {
    name: "TypeScript",
    text: 'export function clamp(value: number, low: number, high: number): number {\n  if (low > high) throw new RangeError("low must not exceed high");\n  const raised = Math.max(value, low);\n  return Math.min(raised, high);\n}\n\nfor (const [name, entry] of Object.entries(table)) {\n  console.log(name, entry.total.toFixed(2));\n}\n',
    tokens: 82,
    percent: 5,
  },
  {
    name: "Python",
    text: 'def read_rows(path, limit=100):\n    rows = []\n    with open(path, encoding="utf-8") as handle:\n        for number, line in enumerate(handle):\n            if number >= limit:\n                break\n            rows.append(line.rstrip("\\n").split(","))\n    return rows\n',
    tokens: 60,
    percent: 5,
  },
  {
    name: "JSON",
    text: '{"order": {"id": "ord_4471", "items": [{"sku": "lamp-02", "quantity": 3, "price": 19.5}, {"sku": "desk-11", "quantity": 1, "price": 240}], "paid": true, "shipped_at": null}}',
    tokens: 69,
    percent: 5,
  },
  {
    name: "a Markdown list",
    text: "## What to pack\n\n- a warm coat and two pairs of gloves\n- the **blue** notebook, not the green one\n- tickets, passport and the letter from the harbour office\n- `charger.zip` on a memory stick\n",
    tokens: 49,
    percent: 5,
  },
  {
    name: "Chinese",
    text: "船上的事務長負責保管錢箱。每次出航之前，她都會清點金額，並且記下每一筆支出。",
    tokens: 36,
    percent: 15,
  },
  {
    name: "Russian",
    text: "Каждый вечер казначей записывает, сколько денег осталось в сундуке и кто их потратил.",
    tokens: 23,
    percent: 20,
  },
  {
    name: "German",
    text: "Der Zahlmeister verwahrt das Geld des Schiffes und schreibt jede Ausgabe sorgfältig in sein großes Buch.",
    tokens: 21,
    percent: 10,
  },
] as const;

/** Pieces between which splitting into words could go wrong: known beginnings of unknown words, and the reverse. */
const pieces = fc.constantFrom(
  ..."aBzZ7 \n\t-.'\"_/(é語я한😀→─",
  ...["it's", "don't", " the", "ing", " you'r", "e", "\r\n", "   ", "\ud83d", "\udc00", "\u001b["],
  ...[" с", "слово", "你好", " 只", "예금", "ÀÉ", "XMLHttp", "a".repeat(25), "-".repeat(25)],
);

describe("estimateTokens", () => {
  test.each([...COUNTED])("is within $percent % of an exact count: $name", ({ text, tokens, percent }) => {
    expect(Math.abs(estimateTokens(text) / tokens - 1) * 100).toBeLessThan(percent);
  });

  test("counts 0 for an empty text and 1 for a short word", () => {
    expect(estimateTokens("")).toBe(0);
    for (const text of ["a", "7", "語", " ", "\n", "\ud83d", "don't"]) expect(estimateTokens(text)).toBe(1);
  });

  test("never counts a longer text as less than its beginning", () => {
    const beginning = fc.string({ unit: pieces, maxLength: 14 });
    const more = fc.string({ unit: pieces, minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(beginning, more, (start, rest) => {
        expect(estimateTokens(start + rest)).toBeGreaterThanOrEqual(estimateTokens(start));
      }),
      { numRuns: 2_000 },
    );
  });

  test("never counts more tokens than there are bytes", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: pieces }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
      { numRuns: 500 },
    );
  });

  test("depends only on the characters of the text", () => {
    // The same text, once as a two-byte string and once as a one-byte string.
    const narrow = "The quick brown fox, 12 times; isn't it?\n";
    const wide = `語${narrow}`.slice(1);
    expect(estimateTokens(wide)).toBe(estimateTokens(narrow));
  });
});

/** Units that are repeated to make a text. */
const HOSTILE: readonly (readonly [name: string, unit: string])[] = [
  ..."aA7 \n-語éя😀'".split("").map((unit) => [JSON.stringify(unit), unit] as const),
  ["half a character", "\ud83d"],
  ["brackets", "{}"],
  ["capitals in words", "aB"],
  ["one-letter words", "a "],
  ["blank lines", "\n "],
  ["base64", Buffer.from(Uint8Array.from({ length: 600 }, (_, at) => (at * 7_919) >> 3)).toString("base64")],
];

describe("hostile text", () => {
  test.each(HOSTILE)("has about ten times the tokens at ten times the length: %s", (_, unit) => {
    const once = unit.repeat(Math.ceil(20_000 / unit.length));
    const tokens = estimateTokens(once);
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(once));
    expect(estimateTokens(once.repeat(10)) / tokens).toBeWithin(9.5, 10.5);
  });

  test.each(HOSTILE)("takes less than 50 times as long at ten times the length: %s", (_, unit) => {
    const once = unit.repeat(Math.ceil(20_000 / unit.length));
    const many = once.repeat(10);
    const takes = (text: string) => fastestMs(() => estimateTokens(text), 9);
    takes(once);
    // With a wide margin: quadratic time would take a hundred times as long.
    expect(takes(many)).toBeLessThan(50 * Math.max(takes(once), 0.02));
  });
});
