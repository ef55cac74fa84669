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

/** The sums over the stretches of a text. */
export type Tally = {
  words: number;
  units: number;
  /** Hash of the single punctuation mark or blank that a following run may begin with; 0 if there is none. */
  openHash: number;
};

const NOTHING_BEFORE = (BEFORE << 12) | (BEFORE << 8) | (BEFORE << 4);
/** Up to three digits are a word like any other; more are several tokens. */
const FOUR_DIGITS = (DIGIT << 12) | (DIGIT << 8) | (DIGIT << 4) | DIGIT;

/** Characters that are cut into words before those are looked up. */
const CHUNK = 4_096;
/** Where each word begins, and the prefix hash before it. Shared, since one text is read at a time. */
const STARTS = new Int32Array(CHUNK + 2);
const SUMS = new Int32Array(CHUNK + 2);

/** The hash is a sum of codes times powers, so the hash of a word is the difference of two prefix sums. */
const POWERS = Int32Array.from({ length: LONGEST_KNOWN + 1 }, (_, exponent) => powerOf(exponent));

function powerOf(exponent: number): number {
  let power = 1;
  for (let at = 0; at < exponent; at++) power = Math.imul(power, MULTIPLIER);
  return power;
}

/**
 * Reads words from `start` up to a long number, a letter of a non-Latin script or the end; returns that place. Every
 * chat call passes all of its text through the inner loop: its only branch that depends on the text is the last one,
 * since a branch misprediction costs more than the rest of an iteration. A start is written for every character, and
 * kept only if a word begins there.
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

/** Counts all words but the last, which continues. */
function keepLast(text: string, count: number, tally: Tally): number {
  addWords(text, count, tally);
  tally.words += count - 1;
  STARTS[0] = STARTS[count - 1] as number;
  SUMS[0] = SUMS[count - 1] as number;
  return 1;
}

/** A single punctuation mark or blank before the run is looked up together with it. */
function closeBeforeScript(text: string, count: number, tally: Tally): number {
  const end = STARTS[count] as number;
  const isOpen = end - (STARTS[count - 1] as number) === 1 && CLASS_OF[text.charCodeAt(end - 1)] !== DIGIT;
  tally.words += count;
  addWords(text, isOpen ? count : count + 1, tally);
  tally.openHash = isOpen ? hashBetween(SUMS[count - 1] as number, SUMS[count] as number, 1) : 0;
  return end;
}

/** The number is the last word, and does not belong to the stretch. */
function closeBeforeNumber(text: string, count: number, tally: Tally): number {
  tally.words += count - 1;
  addWords(text, count, tally);
  return STARTS[count - 1] as number;
}

/**
 * The last word may still become a known one when text is appended: until it is too long for that, no cost is added
 * for it.
 */
function closeText(text: string, count: number, tally: Tally): void {
  const last = STARTS[count - 1] as number;
  tally.words += count;
  addWords(text, count, tally);
  if (text.length - last > LONGEST_KNOWN) tally.units += unknownUnits(text, last, text.length);
}

/**
 * Adds the cost of unknown words among the `places` - 1 words that end where the next one begins. Whether a word is
 * known is unpredictable, also for the processor: so the cost is looked up for all words, and masked out for known
 * ones.
 */
function addWords(text: string, places: number, tally: Tally): void {
  // The sum over a chunk stays far below 2^31; that of a single long word may not.
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

/** The hash of the word between two prefix sums. */
function hashBetween(before: number, after: number, length: number): number {
  return (after - Math.imul(before, POWERS[length] as number)) | 0;
}
