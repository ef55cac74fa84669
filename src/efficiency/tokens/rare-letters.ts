/**
 * What a text has at the least, whatever its words are taken for. The estimate goes by words that people write; letters
 * that hardly anybody writes are no part of a token that a model knows, and fall into their bytes. Nothing that reads
 * bytes counts more tokens than there are.
 */

/** A token, in the parts that letters are counted in. */
const PARTS_PER_TOKEN = 24;
/** Prose and code have fewer than 4.8 characters per token: text with more may have been made up to look short. */
const PLAIN = 5;
/** Of scripts in which one or two letters are a word. */
const SYLLABLE = 12;
/** Accents and marks: a token of their own, where the word is not known with them. */
const MARK = 20;
/** A hold is 1.2 times what it is made of: five sixths of a letter's bytes are enough to hold for all of them. */
const TWO_BYTES = 40;
const THREE_BYTES = 60;

const FIRST_THREE_BYTES = 0x800;
/** What a byte that is not a letter's first can add. */
const MOST_PER_LATER_BYTE = TWO_BYTES - PLAIN;

type Range = readonly [parts: number, first: number, last: number];

/** What o200k knows well, measured 64 letters at a time. All else beyond ASCII falls into bytes. */
const KNOWN: readonly Range[] = [
  [PLAIN, 0, 0x7f],
  [MARK, 0x80, 0x17f],
  // Greek, Cyrillic, Armenian, Hebrew, Arabic; then India's scripts and Thai, Burmese and Georgian, Khmer.
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
  // Of a pair, which has four bytes; of an emoji, three of them are tokens.
  [TWO_BYTES + MARK, 0xd800, 0xdbff],
  [TWO_BYTES, 0xd83c, 0xd83e],
  [MARK, 0xdc00, 0xdfff],
  [MARK, 0xff00, 0xff5e],
];

/** What rulers and bars are made of: a run of sixteen is a token. */
const RULERS = "\u2014\u2026\u2500\u2501\u2550\u2588\u25a1\u2605\u3000";

const PARTS_OF: Uint8Array = partsOfLetters();

function partsOfLetters(): Uint8Array {
  const table = new Uint8Array(65_536).fill(THREE_BYTES).fill(TWO_BYTES, 0, FIRST_THREE_BYTES);
  for (const [parts, first, last] of KNOWN) table.fill(parts, first, last + 1);
  for (let at = 0; at < RULERS.length; at++) table[RULERS.charCodeAt(at)] = PLAIN;
  return table;
}

/** The more of a text, the more parts it has. */
export function leastParts(text: string): number {
  let parts = 0;
  for (let at = 0; at < text.length; at++) parts += PARTS_OF[text.charCodeAt(at)] as number;
  return parts;
}

/** Of all that a text has, letters that fall into their bytes are so large a part only where they are what it is about. */
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

/** No text of this size has more. Asking for a size in bytes costs next to nothing, and most texts need no closer look. */
export function mostParts(characters: number, bytes: number): number {
  return characters * PLAIN + (bytes - characters) * MOST_PER_LATER_BYTE;
}

/** For a hold: as many tokens as these, and a fifth, are in the text at the most, if the estimate finds no more. */
export function tokensHeldFor(parts: number): number {
  return Math.ceil(parts / PARTS_PER_TOKEN);
}

/** Of its rare letters alone, and a fifth off: what every tokenizer finds in them. */
export function tokensOfRare(parts: number, characters: number): number {
  return Math.floor((parts - characters * PLAIN) / (PARTS_PER_TOKEN * 1.25));
}
