import { randomBytes } from "node:crypto";
import { countPieces, LONGEST_PIECE } from "./text-pieces.ts";

/** Counts the tokens of a text. */
export type TokenCount = (text: string) => number;

/** Shorter texts are cheap to count, and would evict those that are not. */
const LEAST_CHARACTERS = 256;
/** Enough for some hundred conversations. A new entry replaces the one in its slot. */
const PLACES = 1 << 16;
/** A text that begins and ends like this, and is as long, was probably there before. */
const HINT_CHARACTERS = 64;
/** 32-bit words of the digest that are kept: nobody can find a second text with the same 128 bits. */
const WORDS = 4;

/**
 * Caches token counts. Agents send the whole conversation with each turn, so most long texts were counted a moment
 * ago; and a digest costs a third of a count. Whoever sends only new texts does not pay for digests: one is made
 * where a hint says that the text was there before, so a count is remembered from the second time on. The texts
 * themselves are not kept. Digest and hint include the owner and a secret, so that neither timing nor evictions reveal
 * what others have sent.
 */
export function createKnownCounts(count: TokenCount): (owner: string) => TokenCount {
  const secret = randomBytes(32).toString("hex");
  const keys = new Uint32Array(PLACES * WORDS);
  const counts = new Uint32Array(PLACES);
  const hints = new Uint32Array(PLACES);
  const digest = new Uint32Array(8);
  const bytes = new Uint8Array(digest.buffer);

  function isAt(start: number): boolean {
    for (let at = 0; at < WORDS; at++) if (keys[start + at] !== digest[at]) return false;
    return true;
  }

  /** Notes it for the next time. */
  function wasProbablyThere(whose: string, text: string): boolean {
    const ends = whose + text.slice(0, HINT_CHARACTERS) + text.slice(-HINT_CHARACTERS);
    const hint = Bun.hash.xxHash32(ends, text.length);
    const place = hint & (PLACES - 1);
    if (hints[place] === hint) return true;
    hints[place] = hint;
    return false;
  }

  return (owner) => {
    const whose = secret + owner;

    return function known(text): number {
      if (text.length > LONGEST_PIECE) return countPieces(text, known);
      // A digest would see every lone surrogate as the same replacement character.
      if (text.length < LEAST_CHARACTERS || !wasProbablyThere(whose, text)) return count(text);
      if (!text.isWellFormed()) return count(text);
      new Bun.SHA256().update(whose).update(text).digest(bytes);
      const place = (digest[0] as number) & (PLACES - 1);
      if (isAt(place * WORDS)) return counts[place] as number;
      const tokens = count(text);
      counts[place] = tokens;
      keys.set(digest.subarray(0, WORDS), place * WORDS);
      return tokens;
    };
  };
}
