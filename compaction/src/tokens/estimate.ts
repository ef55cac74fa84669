import { BYTES, FIRST, hashOf, knownBit, MASKS, readBytes, VIEW } from "./known-words.ts";
import { countPieces, LONGEST_PIECE } from "./text-pieces.ts";
import { COSTS_OF_ENDS, LONGEST_WORD, slowUnits, UNITS_PER_TOKEN } from "./token-costs.ts";
import { BEGINS, KINDS_OF_PAIR, LAST_FIVE } from "./word-begins.ts";

/** Bytes that are cut into words before those are looked up. */
const CHUNK = 8_192;
/** Where each word begins. */
const STARTS = new Int32Array(CHUNK + 4);
const APOSTROPHE = 39;
/** All bytes, two by two: half the loads. */
const PAIRS = new Uint16Array(BYTES.buffer);

/**
 * Estimates the tokens of a text: its words, and what unknown words cost in addition. No regular expression, and no
 * branch that depends on the text but for rare words: a branch misprediction costs more than a word, and hostile text
 * costs as much time as plain text of its length. Appending never lowers the result, so that an output limit can be
 * found by bisection: a word counts when it starts, its unknown part when it ends.
 */
export function estimateTokens(text: string): number {
  const { length } = text;
  if (length > LONGEST_PIECE) return countPieces(text, estimateTokens);
  // Half a character at the end may become a whole one.
  const isCut = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  const end = readBytes(isCut ? text.slice(0, -1) : text);
  if (end === FIRST) return Math.min(length, 1);
  BYTES.fill(0x20, end, end + 4);
  let words = 0;
  let units = 0;
  STARTS[0] = FIRST;
  let count = (BYTES[FIRST] as number) === 10 || (BYTES[FIRST] as number) === 13 ? 1 : 0;
  for (let at = FIRST; at <= end; at += CHUNK) {
    count = markWords(at, Math.min(end + 1, at + CHUNK), count);
    // The blank after the text begins no word of it.
    if (STARTS[count - 1] === end) count--;
    words += count - 1;
    units += unitsOfWords(count);
    STARTS[0] = STARTS[count - 1] as number;
    count = 1;
  }
  units += unitsOfOpenWord(STARTS[0], end);
  return words + 1 + Math.round(units / UNITS_PER_TOKEN);
}

/** Appends where words begin, from the byte before `from` to the one before `to`; returns how many there are. */
function markWords(from: number, to: number, already: number): number {
  let count = already;
  let kinds =
    ((KINDS_OF_PAIR[PAIRS[(from >> 1) - 2] as number] as number) << 6) |
    (KINDS_OF_PAIR[PAIRS[(from >> 1) - 1] as number] as number);
  for (let at = from; at < to; at += 2) {
    kinds = ((kinds << 6) | (KINDS_OF_PAIR[PAIRS[at >> 1] as number] as number)) & LAST_FIVE;
    const begins = BEGINS[kinds] as number;
    STARTS[count] = at - 1;
    count = (count + (begins & 1)) | 0;
    STARTS[count] = at;
    count = (count + (begins >> 1)) | 0;
  }
  return count;
}

/**
 * What unknown words cost beyond their first token. Whether a word is known is unpredictable, also for the processor:
 * so the cost is looked up for all of them, and masked out for known ones.
 */
function unitsOfWords(count: number): number {
  let units = 0;
  let start = STARTS[0] as number;
  for (let word = 1; word < count; word++) {
    const end = STARTS[word] as number;
    const length = (end - start) | 0;
    const mask = MASKS[length & 63] as number;
    const first = VIEW.getInt32(start, true) & mask;
    if (isSlow(first, length)) units = (units + slowUnits(start, end)) | 0;
    else {
      const last = VIEW.getInt32(end - 4, true);
      const known = knownBit(hashOf(first, last & (mask >> 31), length));
      units = (units + ((COSTS_OF_ENDS[((last >>> 24) << 5) + length] as number) & (known - 1))) | 0;
    }
    start = end;
  }
  return units;
}

/**
 * The last word may still become a known one: until that is ruled out, nothing is added for it. An apostrophe at its
 * end may still become a word of its own.
 */
function unitsOfOpenWord(start: number, textEnd: number): number {
  const end = BYTES[textEnd - 1] === APOSTROPHE ? textEnd - 1 : textEnd;
  const first = VIEW.getInt32(start, true) & (MASKS[(end - start) & 63] as number);
  return isSlow(first, end - start) ? slowUnits(start, end) : 0;
}

/** Words that begin beyond ASCII, by their second byte, are looked up as a whole only if they are short. */
function isSlow(first: number, length: number): boolean {
  return length + ((first >>> 11) & 16) > LONGEST_WORD;
}
