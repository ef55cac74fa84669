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
 * costs a seventh of a count. Nothing of a text is kept. Whose it is belongs to what is looked up: how fast an answer comes
 * tells nobody what others have sent.
 */
export function createKnownCounts(count: TokenCount): (owner: string) => TokenCount {
  const keys = new Uint32Array(PLACES * WORDS);
  const counts = new Uint32Array(PLACES);
  const digest = new Uint32Array(8);
  const bytes = new Uint8Array(digest.buffer);

  function wordsOf(text: string): Uint32Array {
    Bun.SHA256.hash(text, bytes);
    return digest;
  }

  return (owner) => {
    // Most calls have no long text, and need none of it.
    let ofOwner: Uint32Array | null = null;

    return (text) => {
      if (text.length < LEAST_CHARACTERS) return count(text);
      ofOwner ??= wordsOf(owner).slice(0, WORDS);
      const ofText = wordsOf(text);
      const place = ((ofText[0] as number) ^ (ofOwner[0] as number)) & (PLACES - 1);
      let isKnown = true;
      for (let at = 0; at < WORDS; at++) {
        const word = ((ofText[at] as number) ^ (ofOwner[at] as number)) >>> 0;
        if (keys[place * WORDS + at] === word) continue;
        keys[place * WORDS + at] = word;
        isKnown = false;
      }
      if (!isKnown) counts[place] = count(text);
      return counts[place] as number;
    };
  };
}
