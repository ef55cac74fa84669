/**
 * The fewest tokens to assume for a text, whatever the estimate says. The estimate assumes words that people write;
 * characters that hardly anybody writes are in no known token, and are split into their bytes. No tokenizer that
 * reads bytes counts more tokens than bytes.
 */

/** Parts of a token: the unit in which characters are counted. */
const PARTS_PER_TOKEN = 24;
/** Prose and code have fewer than 4.8 characters per token: text with more may be crafted to look short. */
const PLAIN = 5;
/** For scripts in which one or two characters are a word. */
const SYLLABLE = 12;
/** Accented letters and punctuation: a separate token if the word with them is unknown. */
const MARK = 20;
/** A hold is 1.2 times the count, so five sixths of a character's bytes are enough to hold for all of them. */
const TWO_BYTES = 40;
const THREE_BYTES = 60;

const FIRST_THREE_BYTES = 0x800;
/** The most that a further byte of a character can add. */
const MOST_PER_LATER_BYTE = TWO_BYTES - PLAIN;

type Range = readonly [parts: number, first: number, last: number];

/** What o200k knows well, measured in blocks of 64 characters. Everything else beyond ASCII is split into bytes. */
const KNOWN: readonly Range[] = [
  [PLAIN, 0, 0x7f],
  [MARK, 0x80, 0x17f],
  // Greek, Cyrillic, Armenian, Hebrew, Arabic; then the scripts of India and Thai; Burmese and Georgian; Khmer.
  [PLAIN, 0x380, 0x6ff],
  [PLAIN, 0x900, 0xe7f],
  [PLAIN, 0x1000, 0x10ff],
  [PLAIN, 0x1780, 0x17ff],
  [MARK, 0x1ea0, 0x1eff],
  [MARK, 0x2000, 0x203f],
  [MARK, 0x3000, 0x303f],
  [SYLLABLE, 0x3040, 0x30ff],
  [SYLLABLE, 0x4e00, 0x9fff],
  [SYLLABLE, 0xac00, 0xd7a3],
  // Surrogate pairs have four bytes; those of an emoji are three tokens.
  [TWO_BYTES + MARK, 0xd800, 0xdbff],
  [TWO_BYTES, 0xd83c, 0xd83e],
  [MARK, 0xdc00, 0xdfff],
  [MARK, 0xff00, 0xff5e],
];

/** Characters of rulers and bars: a run of sixteen is one token. */
const RULERS = "\u2014\u2026\u2500\u2501\u2550\u2588\u25a1\u2605\u3000";

const PARTS_OF: Uint8Array = partsOfLetters();

function partsOfLetters(): Uint8Array {
  const table = new Uint8Array(65_536).fill(THREE_BYTES).fill(TWO_BYTES, 0, FIRST_THREE_BYTES);
  for (const [parts, first, last] of KNOWN) table.fill(parts, first, last + 1);
  for (let at = 0; at < RULERS.length; at++) table[RULERS.charCodeAt(at)] = PLAIN;
  return table;
}

/** Grows with every character. */
export function leastParts(text: string): number {
  let parts = 0;
  for (let at = 0; at < text.length; at++) parts += PARTS_OF[text.charCodeAt(at)] as number;
  return parts;
}

/** Characters that are split into bytes have a larger share than this only in texts that consist of them. */
const RARE_SHARE = 1 / 4;

export function isFullOfRare(text: string): boolean {
  let [parts, rare] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const ofLetter = PARTS_OF[text.charCodeAt(at)] as number;
    parts += ofLetter;
    if (ofLetter >= TWO_BYTES) rare += ofLetter;
  }
  return rare > parts * RARE_SHARE;
}

/** Upper bound for a text of this size. The size in bytes is nearly free, and most texts need no closer look. */
export function mostParts(characters: number, bytes: number): number {
  return characters * PLAIN + (bytes - characters) * MOST_PER_LATER_BYTE;
}

/** For a hold, which adds a fifth: together they bound the tokens of the text, unless the estimate is higher. */
export function tokensHeldFor(parts: number): number {
  return Math.ceil(parts / PARTS_PER_TOKEN);
}

/** Counts only the rare characters, minus a fifth: what every tokenizer finds in them. */
export function tokensOfRare(parts: number, characters: number): number {
  return Math.floor((parts - characters * PLAIN) / (PARTS_PER_TOKEN * 1.25));
}
