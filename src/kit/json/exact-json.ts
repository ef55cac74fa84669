/**
 * JSON whose long numbers are written again digit by digit: a double holds fifteen of them for sure, and the ids of many
 * databases have nineteen.
 */
const LEAST_DIGITS = 16;
const LONG_NUMBER = /\d{16}/;

/** Of the language, and not yet in its declarations. */
type ExactJson = {
  parse(text: string, revive: (key: string, value: unknown, from: { source?: string }) => unknown): unknown;
  /** What `JSON.stringify` writes as this very text. */
  rawJSON(text: string): object;
};
const exact = JSON as unknown as ExactJson;

/** Most texts have none. Digits within a string look the same. */
export function mayHaveLongNumber(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/** For what is written again and not looked at: a long number in it is an object that only `JSON.stringify` understands. */
export function parseExactly(text: string): unknown {
  return mayHaveLongNumber(text) ? exact.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source = "" }: { source?: string }): unknown {
  return typeof value === "number" && source.length >= LEAST_DIGITS ? exact.rawJSON(source) : value;
}

/** With the digits that some of its numbers were written with before they were read. */
export function writeExactly(value: unknown, written: ReadonlyMap<number, string>): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    const digits = typeof item === "number" ? written.get(item) : undefined;
    return digits === undefined ? item : exact.rawJSON(digits);
  });
}
