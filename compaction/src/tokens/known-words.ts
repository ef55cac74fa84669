import table from "./token-table.json" with { type: "json" };

/** Before the text that is counted there are line breaks, which belong to no word. */
export const FIRST = 16;
/** Three bytes for each character of the longest piece. */
const TEXT_BYTES = 1_200_000;
/** The text, as UTF-8. Shared, since one text is read at a time. */
export const BYTES: Uint8Array = new Uint8Array(FIRST + TEXT_BYTES + 16).fill(10, 0, FIRST);
export const VIEW: DataView = new DataView(BYTES.buffer);
const ROOM = BYTES.subarray(FIRST, FIRST + TEXT_BYTES);
const ENCODER = new TextEncoder();

/** Returns where the text ends. */
export function readBytes(text: string): number {
  return FIRST + ENCODER.encodeInto(text, ROOM).written;
}

/** Cuts the first four bytes of a word to its own, by its length modulo 64. Negative if all are. */
export const MASKS: Int32Array = Int32Array.from({ length: 64 }, (_, length) =>
  length < 4 ? (1 << (8 * length)) - 1 : -1,
);

/** No longer word is looked up. */
export const LONGEST_KNOWN = 63;

/**
 * The words that are one token, a bit for each. Other words are mistaken for them, more often long ones; the costs were
 * fitted with these errors included.
 */
export const KNOWN: Int32Array = new Int32Array(Uint8Array.from(Buffer.from(table.known, "base64")).buffer);
const SHIFT = Math.clz32(KNOWN.length) + 1;

/** Of a word's first four bytes, its last four if it has more, and its length: others hardly ever matter. */
export function hashOf(first: number, last: number, length: number): number {
  const mixed = Math.imul((first + length) | 0, -1_640_531_535);
  return Math.imul(((mixed ^ (mixed >>> 15)) + last) | 0, -1_564_532_515);
}

function hashAt(start: number, end: number): number {
  const length = end - start;
  const mask = MASKS[length] as number;
  return hashOf(VIEW.getInt32(start, true) & mask, VIEW.getInt32(end - 4, true) & (mask >> 31), length);
}

export function isKnown(start: number, end: number): boolean {
  return end - start <= LONGEST_KNOWN && knownBit(hashAt(start, end)) === 1;
}

/** 1 or 0, for a loop without branches. */
export function knownBit(hash: number): number {
  return ((KNOWN[hash >>> SHIFT] as number) >> (hash >> (SHIFT - 5))) & 1;
}

/** Makes the word known that was read: for the fit. */
export function learn(end: number): void {
  const hash = hashAt(FIRST, end);
  KNOWN[hash >>> SHIFT] = (KNOWN[hash >>> SHIFT] as number) | (1 << (hash >> (SHIFT - 5)));
}
