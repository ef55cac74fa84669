import { ACCENTED_UPPER, CLASS_OF, FOREIGN, LINE_BREAK, SPACE, SYMBOL } from "./character-class.ts";
import { LONGEST_KNOWN } from "./token-filter.ts";
import table from "./token-table.json" with { type: "json" };

/** Costs are integers, so that sums are exact and the same on every machine. */
export const UNITS_PER_TOKEN = 1024;

/** Covers every class, including those that end no unknown word and cost nothing. */
const CLASSES = FOREIGN + 1;
export const UNKNOWN_UNITS: Int32Array = unknownCosts(table.costs.unknown.flat());
const LONG_UNITS = Int32Array.from(table.costs.long);

/** What an unknown word costs beyond its first token; never negative. Linear time. */
export function unknownUnits(text: string, start: number, end: number): number {
  const length = end - start;
  if (length > LONGEST_KNOWN) return longUnits(text, start, end);
  return UNKNOWN_UNITS[unknownIndex(text.charCodeAt(end - 1), length)] as number;
}

function unknownCosts(given: readonly number[]): Int32Array {
  const costs = new Int32Array(CLASSES * (LONGEST_KNOWN + 1));
  costs.set(given);
  return costs;
}

/** Index by the class of the last character (one row each, as long as the longest known word) and by length. */
export function unknownIndex(lastCode: number, length: number): number {
  return (CLASS_OF[lastCode] as number) * (LONGEST_KNOWN + 1) + length;
}

/** Grows with the length of the word. */
function longUnits(text: string, start: number, end: number): number {
  let units = 0;
  let previous = -1;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    units += LONG_UNITS[longIndex(code, previous)] ?? 0;
    previous = code;
  }
  return units;
}

/** Rulers, indentation, "aaargh": a character equal to the one before it costs less. */
export function longIndex(code: number, previous: number): number {
  return (KINDS_IN_LONG_WORD[CLASS_OF[code] as number] as number) * 2 + (code === previous ? 1 : 0);
}

const KINDS_IN_LONG_WORD = Uint8Array.from({ length: CLASSES }, (_, kind) => kindInLongWord(kind));

/** 0: letter, 1: punctuation and others, 2: symbol, 3: white space. */
function kindInLongWord(kind: number): number {
  if (kind <= ACCENTED_UPPER) return 0;
  if (kind === SYMBOL) return 2;
  return kind >= SPACE && kind <= LINE_BREAK ? 3 : 1;
}
