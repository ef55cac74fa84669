import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { estimateTokens } from "./estimate.ts";

/** Texts of our own, the count that the o200k encoding gives them, and how far off we may be. */
const COUNTED = [
  {
    name: "English prose",
    text: "A purser keeps the money of a ship. Before every voyage she counts what is in the chest, and after every purchase she writes down what was bought, from whom, and what is left. Nobody may spend more than the chest holds, however urgent the errand, because a promise that cannot be paid is worth less than a plain refusal.",
    tokens: 70,
    percent: 10,
  },
  {
    name: "a letter with numbers",
    text: "Dear Anna,\n\nyour order of 1,250 sheets left our warehouse on 14 March 2026 and should reach you within 3 to 5 working days. The invoice (no. 88213) over 417.90 euros is enclosed; please pay it by 30 April.\n\nKind regards,\nTom",
    tokens: 64,
    percent: 10,
  },
  {
    name: "TypeScript",
    text: 'export function clamp(value: number, low: number, high: number): number {\n  if (low > high) throw new RangeError("low must not exceed high");\n  const raised = Math.max(value, low);\n  return Math.min(raised, high);\n}\n\nfor (const [name, entry] of Object.entries(table)) {\n  console.log(name, entry.total.toFixed(2));\n}\n',
    tokens: 82,
    percent: 10,
  },
  {
    name: "Python",
    text: 'def read_rows(path, limit=100):\n    rows = []\n    with open(path, encoding="utf-8") as handle:\n        for number, line in enumerate(handle):\n            if number >= limit:\n                break\n            rows.append(line.rstrip("\\n").split(","))\n    return rows\n',
    tokens: 60,
    percent: 16,
  },
  {
    name: "JSON",
    text: '{"order": {"id": "ord_4471", "items": [{"sku": "lamp-02", "quantity": 3, "price": 19.5}, {"sku": "desk-11", "quantity": 1, "price": 240}], "paid": true, "shipped_at": null}}',
    tokens: 69,
    percent: 10,
  },
  {
    name: "a Markdown list",
    text: "## What to pack\n\n- a warm coat and two pairs of gloves\n- the **blue** notebook, not the green one\n- tickets, passport and the letter from the harbour office\n- `charger.zip` on a memory stick\n",
    tokens: 49,
    percent: 10,
  },
  {
    name: "Chinese",
    text: "船上的事務長負責保管錢箱。每次出航之前，她都會清點金額，並且記下每一筆支出。",
    tokens: 36,
    percent: 30,
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

describe("estimateTokens", () => {
  test.each([...COUNTED])("is within $percent % of an exact count: $name", ({ text, tokens, percent }) => {
    expect(Math.abs(estimateTokens(text) / tokens - 1) * 100).toBeLessThan(percent);
  });

  test("counts nothing in an empty text and something in any word", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("a")).toBe(1);
    expect(estimateTokens("7")).toBe(1);
    expect(estimateTokens("語")).toBe(1);
  });

  test("a longer text never counts less than its beginning", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aB7 \n-.é語я😀") });
    fc.assert(
      fc.property(text, text, (start, more) => {
        expect(estimateTokens(start + more)).toBeGreaterThanOrEqual(estimateTokens(start));
      }),
    );
  });

  test("never counts more tokens than there are bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
    );
  });

  test.each(["a", "A", "7", " ", "\n", "-", "語", "é", "\ud83d", "{}", "aB", "a ", "\n "])(
    "200 KB of %j take milliseconds",
    (unit) => {
      const text = unit.repeat(200_000 / unit.length);
      const startedAt = performance.now();
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(0);
      expect(performance.now() - startedAt).toBeLessThan(100);
    },
  );
});
