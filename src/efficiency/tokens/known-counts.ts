import { randomBytes } from "node:crypto";

/** How many tokens a text has. */
export type TokenCount = (text: string) => number;

/** What is shorter costs little, and would take the places of what does not. */
const LEAST_CHARACTERS = 256;
/** Of some hundred conversations. What comes to a place that is taken takes it. */
const PLACES = 1 << 16;
/** Of a digest as much as nobody finds a second text for. */
const WORDS = 4;

/**
 * Agents send all of a conversation with each of its turns, so most long texts were counted a moment ago, and a digest
 * costs a twentieth of a count, if half of one in Chinese. Nothing of a text is kept. Whose it is goes into the digest, with a secret: neither how fast
 * a count is nor whose place was taken tells anybody what others have sent.
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
