import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { byteaArray, plainArray, quotedArray } from "./sql-array.ts";
import { createTestDatabase } from "./testing.ts";

const database = await createTestDatabase();
afterAll(() => database.drop());

async function roundTrip(type: string, literal: string): Promise<unknown[]> {
  const { rows } = await database.db.pool.query<{ back: unknown[]; size: number }>({
    name: `array_${type}`,
    text: `select to_json($1::${type}[]) as back, cardinality($1::${type}[]) as size`,
    values: [literal],
  });
  const back = rows[0]?.back ?? [];
  expect(rows[0]?.size).toBe(back.length);
  return back;
}

/** Everything that has a meaning inside an array literal, alone and together. */
const HOSTILE = [
  "",
  " ",
  "NULL",
  "null",
  '"',
  "\\",
  '\\"',
  ",",
  "{",
  "}",
  "{}",
  "{a,b}",
  '","',
  "\\x00",
  "'",
];
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE, "\n", "\t", "\r", "\v", "\f", "\u00a0", "\ufeff", "💰", "é"),
  // PostgreSQL text has no zero byte, and a lone surrogate is not a character: both are refused before this code.
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));

describe("arrays for PostgreSQL", () => {
  test("any text comes back unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (values) => {
        expect(await roundTrip("text", quotedArray(values))).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  test.each(HOSTILE)("the text %j is neither a null nor two elements", async (value) => {
    expect(await roundTrip("text", quotedArray([value, null, value]))).toEqual([value, null, value]);
  });

  test("a long text comes back whole", async () => {
    const long = '\\"{,}'.repeat(200_000);
    expect(await roundTrip("text", quotedArray([long]))).toEqual([long]);
  });

  test("bytes come back unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.uint8Array({ maxLength: 40 })), { maxLength: 6 }),
        async (values) => {
          const { rows } = await database.db.pool.query("select $1::bytea[] as back", [byteaArray(values)]);
          expect(rows[0]?.back).toEqual(values.map((value) => (value === null ? null : Buffer.from(value))));
        },
      ),
    );
  });

  test("numbers and ids need no quotes", async () => {
    const numbers = fc.array(fc.option(fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 })), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(numbers, async (values) => {
        expect(await roundTrip("bigint", plainArray(values))).toEqual(values);
      }),
    );
    const ids = [crypto.randomUUID(), null, crypto.randomUUID()];
    expect(await roundTrip("uuid", plainArray(ids))).toEqual(ids);
  });

  test("an empty list is an empty array", async () => {
    expect(await roundTrip("text", quotedArray([]))).toEqual([]);
    expect(await roundTrip("bigint", plainArray([]))).toEqual([]);
  });

  test.each([Number.NaN, 0.5, 1e21, Number.POSITIVE_INFINITY])(
    "%p is refused as a whole number",
    async (value) => {
      await expect(roundTrip("bigint", plainArray([value]))).rejects.toThrow();
    },
  );
});
