import { excessOf, MAX_FOREIGN_KEYS } from "./foreign-json.ts";

/**
 * JSON in which long numbers are written back digit by digit: a double is exact only up to 15 digits, and ids in many
 * databases have 19.
 */
const LEAST_DIGITS = 16;
const LONG_NUMBER = /\d{16}/;
/** Looking at its digits costs a third of a microsecond for each value of a text, wherever the long numbers are. */
const MOST_EXACT_VALUES = 200_000;

/** Part of the language, but not yet of its type declarations. */
type ExactJson = {
  parse(text: string, revive: (key: string, value: unknown, from: { source?: string }) => unknown): unknown;
  /** Returns an object that `JSON.stringify` writes as exactly this text. */
  rawJSON(text: string): object;
};
const exact = JSON as unknown as ExactJson;

/** Cheap check, since most texts have none. Digits within a string match too. */
export function mayHaveLongNumber(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/**
 * For JSON that is only passed on: a long number becomes an object that only `JSON.stringify` understands. Not in a text
 * with far more values than calls have.
 */
export function parseExactly(text: string): unknown {
  const isExact = mayHaveLongNumber(text) && excessOf(text, MAX_FOREIGN_KEYS, MOST_EXACT_VALUES) === null;
  return isExact ? exact.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source = "" }: { source?: string }): unknown {
  return typeof value === "number" && source.length >= LEAST_DIGITS ? exact.rawJSON(source) : value;
}

/** Restores the original digits of numbers; `written` maps each parsed number to its source text. */
export function writeExactly(value: unknown, written: ReadonlyMap<number, string>): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const digits = typeof item === "number" ? written.get(item) : undefined;
    return digits === undefined ? item : exact.rawJSON(digits);
  });
}
