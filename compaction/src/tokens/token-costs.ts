import { BYTES, isKnown } from "./known-words.ts";
import table from "./token-table.json" with { type: "json" };
import { KIND_OF } from "./word-begins.ts";

/** Costs are integers, so that sums are exact and the same on every machine. */
export const UNITS_PER_TOKEN = 1024;

/** Longer words are counted byte by byte. */
export const LONGEST_WORD = 24;

/**
 * What an unknown word costs beyond its first token, by the kind of its last byte times 32 plus its length; then each
 * byte of a long word by its kind, first where it follows another byte, then where it follows its like; then a token in
 * text beyond ASCII, and what a rare character adds. None is negative.
 */
export const COSTS: Int32Array = Int32Array.from(table.costs);
/** The first of these, by the last byte itself times 32 plus the length. */
export const COSTS_OF_ENDS: Int16Array = new Int16Array(256 * 32);

export function spreadCosts(): void {
  for (let byte = 0; byte < 256; byte++) {
    const start = (KIND_OF[byte] as number) * 32;
    COSTS_OF_ENDS.set(COSTS.subarray(start, start + 32), byte * 32);
  }
}
spreadCosts();

export const LONG_COSTS = 256;
export const HIGH_COSTS = 272;

/** What words cost that are long or have characters beyond ASCII. Linear time; more bytes never cost less. */
export function slowUnits(start: number, end: number): number {
  let at = start;
  while (at < end && (BYTES[at] as number) < 128) at++;
  if (at - start <= LONGEST_WORD) return highUnits(start, start, end);
  return longUnits(start, at) + highUnits(at - 1, at, end);
}

function longUnits(start: number, end: number): number {
  let units = 0;
  for (let at = start, previous = -1; at < end; at++) {
    const byte = BYTES[at] as number;
    units += COSTS[LONG_COSTS + (KIND_OF[byte] as number) * 2 + (byte === previous ? 1 : 0)] as number;
    previous = byte;
  }
  return units;
}

/** A token grows while it is the beginning of a known one. The first token of a word is counted with the word. */
function highUnits(start: number, from: number, end: number): number {
  let units = 0;
  let token = start;
  for (let at = from; at < end; ) {
    let next = at + 1;
    while (next < end && ((BYTES[next] as number) & 0xc0) === 0x80) next++;
    if (!isKnown(token, next)) {
      if (at > start) units += COSTS[HIGH_COSTS] as number;
      token = at;
      if (!isKnown(at, next)) units += COSTS[HIGH_COSTS + 1] as number;
    }
    at = next;
  }
  return units;
}
