/** What a tokenizer sees first in a character: these decide where a new token may begin. */
export const LOWER = 0;
export const UPPER = 1;
export const DIGIT = 2;
export const BLANK = 3;
export const LINE_BREAK = 4;
export const PUNCTUATION = 5;
export const ACCENTED = 6;
export const ALPHABETIC = 7;
export const SYMBOL = 8;
export const IDEOGRAPH = 9;
export const SURROGATE = 10;
export const WIDE = 11;

export type CharacterClass = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

const ASCII = asciiClasses();

function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128).fill(PUNCTUATION);
  for (let code = 97; code <= 122; code++) classes[code] = LOWER;
  for (let code = 65; code <= 90; code++) classes[code] = UPPER;
  for (let code = 48; code <= 57; code++) classes[code] = DIGIT;
  for (const code of [9, 32]) classes[code] = BLANK;
  for (const code of [10, 13]) classes[code] = LINE_BREAK;
  return classes;
}

export function classOf(code: number): CharacterClass {
  return code < 128 ? (ASCII[code] as CharacterClass) : classBeyondAscii(code);
}

/** Blocks of the Basic Multilingual Plane in their order; the rest arrives as pairs of surrogates. */
function classBeyondAscii(code: number): CharacterClass {
  if (code < 0x250) return ACCENTED;
  if (code < 0x2000) return ALPHABETIC;
  if (code < 0x2e80) return SYMBOL;
  if (code < 0xd800) return IDEOGRAPH;
  if (code < 0xe000) return SURROGATE;
  return code < 0xfb00 ? IDEOGRAPH : WIDE;
}
