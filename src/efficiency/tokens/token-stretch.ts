import { AFTER, BEFORE, CLASS_OF, DIGIT, FOREIGN } from "./character-class.ts";
import { UNKNOWN_UNITS, unknownIndex, unknownUnits } from "./token-cost.ts";
import {
  FILTER,
  FIRST_BIT_SHIFT,
  LONGEST_KNOWN,
  MULTIPLIER,
  NUMBER_SHIFT,
  SECOND_BIT_SHIFT,
} from "./token-filter.ts";
import { BEGINS } from "./token-words.ts";

/** What the stretches of a text come to. */
export type Tally = {
  words: number;
  units: number;
  /** Of the single mark or blank that a run behind the stretch may begin with; 0 where there is none. */
  openHash: number;
};

const NOTHING_BEFORE = (BEFORE << 12) | (BEFORE << 8) | (BEFORE << 4);
/** Three are a word like any other, and cost nothing beyond it; more are several tokens. */
const FOUR_DIGITS = (DIGIT << 12) | (DIGIT << 8) | (DIGIT << 4) | DIGIT;

/** So many characters are cut into words, then these are looked up. */
const CHUNK = 4_096;
/** Where each word begins, and the hash of all that stands before it. One text is read at a time. */
const STARTS = new Int32Array(CHUNK + 2);
const SUMS = new Int32Array(CHUNK + 2);

/** The hash is a sum of codes times powers, so that of a word is the difference of two sums. */
const POWERS = Int32Array.from({ length: LONGEST_KNOWN + 1 }, (_, exponent) => powerOf(exponent));

function powerOf(exponent: number): number {
  let power = 1;
  for (let at = 0; at < exponent; at++) power = Math.imul(power, MULTIPLIER);
  return power;
}

/**
 * Reads words from `start` on, up to a long number, a letter of another script or the end, which it answers. Every chat call
 * goes through the inner loop with all of its text: it has no branch that depends on the text but the last one, since
 * a mistaken guess of the processor costs more than all the rest of a step. A place is written down for every
 * character, and stays where a word begins at it.
 */
export function readStretch(text: string, start: number, tally: Tally): number {
  const { length } = text;
  let at = start;
  let current = text.charCodeAt(at);
  let kind = CLASS_OF[current] as number;
  let context = NOTHING_BEFORE | kind;
  let count = 0;
  let sum = 0;
  for (;;) {
    const limit = Math.min(length, at + CHUNK);
    while (++at < limit) {
      const next = text.charCodeAt(at);
      kind = CLASS_OF[next] as number;
      context = ((context << 4) | kind) & 0xffff;
      STARTS[count] = at - 1;
      SUMS[count] = sum;
      count = (count - (BEGINS[context] as number)) | 0;
      sum = Math.imul((sum + current) | 0, MULTIPLIER);
      if (kind === FOREIGN || context === FOUR_DIGITS) break;
      current = next;
    }
    if (at < limit || limit === length) break;
    at--;
    count = keepLast(text, count, tally);
  }
  SUMS[count] = sum;
  if (at === length) {
    STARTS[count] = at - 1;
    const begins = BEGINS[((context << 4) | AFTER) & 0xffff] as number;
    closeText(text, count - begins, tally);
    return at;
  }
  STARTS[count] = at;
  return kind === FOREIGN ? closeBeforeScript(text, count, tally) : closeBeforeNumber(text, count, tally);
}

/** All words but the last, which goes on. */
function keepLast(text: string, count: number, tally: Tally): number {
  addWords(text, count, tally);
  tally.words += count - 1;
  STARTS[0] = STARTS[count - 1] as number;
  SUMS[0] = SUMS[count - 1] as number;
  return 1;
}

/** A single mark or blank before a run in another script is looked up with it. */
function closeBeforeScript(text: string, count: number, tally: Tally): number {
  const end = STARTS[count] as number;
  const isOpen = end - (STARTS[count - 1] as number) === 1 && CLASS_OF[text.charCodeAt(end - 1)] !== DIGIT;
  tally.words += count;
  addWords(text, isOpen ? count : count + 1, tally);
  tally.openHash = isOpen ? hashBetween(SUMS[count - 1] as number, SUMS[count] as number, 1) : 0;
  return end;
}

/** The number is the last word, and none of the stretch. */
function closeBeforeNumber(text: string, count: number, tally: Tally): number {
  tally.words += count - 1;
  addWords(text, count, tally);
  return STARTS[count - 1] as number;
}

/** The last word may go on and become a known one: until it is too long for that, nothing in it counts as unknown. */
function closeText(text: string, count: number, tally: Tally): void {
  const last = STARTS[count - 1] as number;
  tally.words += count;
  addWords(text, count, tally);
  if (text.length - last > LONGEST_KNOWN) tally.units += unknownUnits(text, last, text.length);
}

/**
 * What is unknown in the words that end where the next one begins: `places` of them, less one. Which word is known
 * nobody can guess, the processor included: what an unknown one costs is looked up for all of them, and masked away.
 */
function addWords(text: string, places: number, tally: Tally): void {
  // A chunk's worth of them stays far below 2^31; a word of any length may not.
  let units = 0;
  let start = STARTS[0] as number;
  let sum = SUMS[0] as number;
  for (let word = 1; word < places; word++) {
    const end = STARTS[word] as number;
    const next = SUMS[word] as number;
    const length = end - start;
    if (length > LONGEST_KNOWN) tally.units += unknownUnits(text, start, end);
    else {
      const hash = hashBetween(sum, next, length);
      const bits = FILTER[hash >>> NUMBER_SHIFT] as number;
      const known = (bits >> (hash >> FIRST_BIT_SHIFT)) & (bits >> (hash >> SECOND_BIT_SHIFT)) & 1;
      const cost = UNKNOWN_UNITS[unknownIndex(text.charCodeAt(end - 1), length)] as number;
      units = (units + (cost & (known - 1))) | 0;
    }
    start = end;
    sum = next;
  }
  tally.units += units;
}

/** Of the word between two sums. */
function hashBetween(before: number, after: number, length: number): number {
  return (after - Math.imul(before, POWERS[length] as number)) | 0;
}
