/**
 * Character classes for the split into words. The order matters: letters come first, classes with runs of their own
 * last.
 */
export const LOWER = 0;
const UPPER = 1;
export const ACCENTED_LOWER = 2;
export const ACCENTED_UPPER = 3;
export const PUNCTUATION = 4;
/** Punctuation outside ASCII, emoji and control characters: more bytes, so more tokens. */
export const SYMBOL = 5;
export const APOSTROPHE = 6;
export const SPACE = 7;
/** A tab or other blank: unlike a space it joins only words, not punctuation. */
export const BLANK = 8;
export const LINE_BREAK = 9;
/** Not a character: precedes the first one, and a stretch that follows a run of digits. */
export const BEFORE = 10;
/** Not a character: follows the last one. */
export const AFTER = 11;
export const DIGIT = 12;
/** Letters of scripts that are counted character by character, not word by word. */
export const FOREIGN = 13;

type Range = readonly [first: number, last: number];

const FOREIGN_RANGES: readonly Range[] = [
  [0x370, 0x1dff],
  [0x1f00, 0x1fff],
  [0x2c00, 0x2dff],
  [0x3005, 0x3007],
  [0x3041, 0x3096],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x318e],
  [0x31a0, 0x31ff],
  [0x3400, 0xd7ff],
  [0xf900, 0xfdff],
  [0xfe70, 0xfefe],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
  [0xff66, 0xffdc],
];

const BLANKS: readonly number[] = [9, 11, 12, 0x85, 0xa0, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000];

/** The class of every UTF-16 code unit: one load, no branch. 64 KB, of which a text touches a few cache lines. */
export const CLASS_OF: Uint8Array = classes();

function classes(): Uint8Array {
  const table = new Uint8Array(65_536).fill(SYMBOL);
  const fill = (kind: number, first: number, last: number) => table.fill(kind, first, last + 1);
  fill(PUNCTUATION, 0x21, 0x7e);
  fill(LOWER, 97, 122);
  fill(UPPER, 65, 90);
  fill(DIGIT, 48, 57);
  accented(table);
  for (const [first, last] of FOREIGN_RANGES) fill(FOREIGN, first, last);
  fill(BLANK, 0x2000, 0x200a);
  for (const code of BLANKS) table[code] = BLANK;
  table[32] = SPACE;
  table[39] = APOSTROPHE;
  table[10] = LINE_BREAK;
  table[13] = LINE_BREAK;
  return table;
}

/** Latin letters beyond ASCII, and combining marks. In most blocks upper and lower case alternate. */
function accented(table: Uint8Array): void {
  table.fill(ACCENTED_UPPER, 0xc0, 0xdf);
  table.fill(ACCENTED_LOWER, 0xdf, 0x370);
  for (const code of [0xaa, 0xb5, 0xba]) table[code] = ACCENTED_LOWER;
  for (const code of [0xd7, 0xf7]) table[code] = SYMBOL;
  for (let code = 0x100; code < 0x178; code++) {
    // From 0x139 to 0x148 the order is reversed.
    const isCapital = (code & 1) === (code > 0x138 && code < 0x149 ? 1 : 0);
    if (isCapital) table[code] = ACCENTED_UPPER;
  }
  for (let code = 0x1e00; code < 0x1f00; code++) {
    table[code] = code & 1 ? ACCENTED_LOWER : ACCENTED_UPPER;
  }
}
