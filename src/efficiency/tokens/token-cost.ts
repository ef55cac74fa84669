import { ACCENTED_UPPER, CLASS_OF, FOREIGN, LINE_BREAK, SPACE, SYMBOL } from "./character-class.ts";
import { LONGEST_KNOWN } from "./token-filter.ts";
import table from "./token-table.json" with { type: "json" };

/** Costs are whole parts of a token, so that sums are exact and the same on every machine. */
export const UNITS_PER_TOKEN = 1024;

/** Room for every class, also for those that end no unknown word, and cost nothing. */
const CLASSES = FOREIGN + 1;
export const UNKNOWN_UNITS: Int32Array = unknownCosts(table.costs.unknown.flat());
const LONG_UNITS = Int32Array.from(table.costs.long);

/** What a word that is not one token costs beyond the first; never negative. Linear time. */
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

/** By the class of the last character, a row each with room for the longest known word, and by length. */
export function unknownIndex(lastCode: number, length: number): number {
  return (CLASS_OF[lastCode] as number) * (LONGEST_KNOWN + 1) + length;
}

/** Grows with the word. */
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

/** Rulers, indents, stretched cries: a character like the one before it costs less than another one would. */
export function longIndex(code: number, previous: number): number {
  return (KINDS_IN_LONG_WORD[CLASS_OF[code] as number] as number) * 2 + (code === previous ? 1 : 0);
}

const KINDS_IN_LONG_WORD = Uint8Array.from({ length: CLASSES }, (_, kind) => kindInLongWord(kind));

/** Letter, mark, symbol, blank. */
function kindInLongWord(kind: number): number {
  if (kind <= ACCENTED_UPPER) return 0;
  if (kind === SYMBOL) return 2;
  return kind >= SPACE && kind <= LINE_BREAK ? 3 : 1;
}
