import { randomBytes } from "node:crypto";

/** Counts the tokens of a text. */
export type TokenCount = (text: string) => number;

/** A shorter text is cheap to count, and would take the place of a longer one. */
const LEAST_CHARACTERS = 256;
/** Enough for some hundred conversations. A new text replaces the one in its place. */
const PLACES = 1 << 16;
/** As much of a digest as it takes that nobody finds a second text for it. */
const WORDS = 4;

/**
 * Agents send the whole conversation with every turn, so most long texts were counted a moment ago. A digest costs a
 * twentieth of a count, though half of one in Chinese. Nothing of a text is kept. The digest covers the owner and a
 * secret, so neither the speed of a count nor a replaced place tells anyone what others have sent.
 */
export function createKnownCounts(count: TokenCount): (owner: string) => TokenCount {
  const secret = randomBytes(32).toString("hex");
  const keys = new Uint32Array(PLACES * WORDS);
  const counts = new Uint32Array(PLACES);
  const digest = new Uint32Array(8);
  const bytes = new Uint8Array(digest.buffer);

  function isAt(start: number): boolean {
    for (let at = 0; at < WORDS; at++) if (keys[start + at] !== digest[at]) return false;
    return true;
  }

  return (owner) => {
    const whose = secret + owner;

    return (text) => {
      // Of half a letter a digest sees only that it is none.
      if (text.length < LEAST_CHARACTERS || !text.isWellFormed()) return count(text);
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
