import table from "./token-table.json" with { type: "json" };

/**
 * Odd, so that no bit is lost. Determines which unknown words are mistaken for known ones; with this value, no common
 * ones.
 */
export const MULTIPLIER = -1_564_532_515;

/** Longer words are counted character by character. */
export const LONGEST_KNOWN = 24;

/** A hash selects a 32-bit number of the filter by its top bits, and two bits of that number by five bits each. */
export const FIRST_BIT_SHIFT = 12;
export const SECOND_BIT_SHIFT = 7;

/**
 * The words that are a single token, as a Bloom filter in which each word sets two bits of one 32-bit number. About
 * one unknown word in ten is mistaken for a known one; the costs were fitted with these errors included.
 */
export const FILTER: Int32Array = decodeFilter(table.filter);
export const NUMBER_SHIFT: number = numberShift(FILTER);

/** Extends the hash of a word by one character; the hash of the empty word is 0. */
export function hashOn(hash: number, code: number): number {
  return Math.imul((hash + code) | 0, MULTIPLIER);
}

export function isKnown(hash: number): boolean {
  return knows(FILTER, NUMBER_SHIFT, hash);
}

export function knows(filter: Int32Array, shift: number, hash: number): boolean {
  const bits = filter[hash >>> shift] ?? 0;
  return ((bits >> (hash >> FIRST_BIT_SHIFT)) & (bits >> (hash >> SECOND_BIT_SHIFT)) & 1) === 1;
}

export function numberShift(filter: Int32Array): number {
  return 32 - Math.log2(filter.length);
}

/** Makes the empty word a known one, so that a loop which closes a word before it has opened any adds no cost. */
function decodeFilter(text: string): Int32Array {
  const bytes = Buffer.from(text, "base64");
  const filter = new Int32Array(bytes.length / 4);
  // At once: number by number it would add some milliseconds to every start. All supported machines are
  // little-endian.
  new Uint8Array(filter.buffer).set(bytes);
  filter[0] = (filter[0] ?? 0) | 1;
  return filter;
}
