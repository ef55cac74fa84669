import {
  ACCENTED_LOWER,
  ACCENTED_UPPER,
  AFTER,
  APOSTROPHE,
  BEFORE,
  BLANK,
  DIGIT,
  FOREIGN,
  LINE_BREAK,
  LOWER,
  PUNCTUATION,
  SPACE,
  SYMBOL,
} from "./character-class.ts";

const CLASSES = FOREIGN + 1;
/** The classes that words consist of. */
const KINDS = [...Array(BEFORE).keys(), DIGIT];
const LETTERS = KINDS.filter(isLetter);
const LOOKING_AHEAD = [SPACE, BLANK, APOSTROPHE];

/**
 * Where tokenizers cut a text into words before they look anything up: the rules of o200k's pattern, as far as four
 * consecutive classes can express them. Index: the classes of the two characters before, of the character, and of the
 * next one, four bits each. Value: -1 if a word begins at the character, else 0; a mask, so that the loop that reads
 * it needs no branch.
 */
export const BEGINS: Int8Array = begins();

/**
 * The character two before matters only for letters, and the next one only for a few punctuation marks and blanks.
 */
function begins(): Int8Array {
  const table = new Int8Array(65_536);
  for (let before = 0; before < CLASSES; before++) {
    if (before > 0) table.copyWithin(before << 12, 0, 1 << 12);
    for (let previous = 0; previous < CLASSES; previous++) {
      for (const kind of before === 0 ? KINDS : LETTERS) {
        const row = (before << 12) | (previous << 8) | (kind << 4);
        table.fill(wordBegins(before, previous, kind, AFTER) ? -1 : 0, row, row + CLASSES);
        if (!LOOKING_AHEAD.includes(kind)) continue;
        for (let next = 0; next < CLASSES; next++) {
          table[row | next] = wordBegins(before, previous, kind, next) ? -1 : 0;
        }
      }
    }
  }
  return table;
}

/**
 * If the next character decides, the end of the text counts as "no": appended text may add words, but never remove
 * one.
 */
function wordBegins(before: number, previous: number, kind: number, next: number): boolean {
  if (kind === DIGIT) return previous !== DIGIT;
  if (previous >= BEFORE) return true;
  if (isLetter(kind)) return letterBegins(before, previous, kind);
  if (kind === SPACE || kind === BLANK) {
    return !isBlank(previous) || (!isBlank(next) && next !== LINE_BREAK && next !== AFTER);
  }
  if (kind === LINE_BREAK) return !isMark(previous) && !isBlank(previous) && previous !== LINE_BREAK;
  if (kind === APOSTROPHE && isLetter(previous) && (isSmall(next) || next === AFTER)) return false;
  return !isMark(previous) && previous !== SPACE;
}

/**
 * A single punctuation mark or blank belongs to the word after it; several in a row, or after a space, are a separate
 * word.
 */
function letterBegins(before: number, previous: number, kind: number): boolean {
  if (isLetter(previous)) return isSmall(previous) && !isSmall(kind);
  if (isBlank(previous)) return false;
  if (previous === APOSTROPHE && isLetter(before) && isSmall(kind)) return false;
  return previous === LINE_BREAK || isMark(before) || before === SPACE;
}

function isLetter(kind: number): boolean {
  return kind <= ACCENTED_UPPER;
}

function isSmall(kind: number): boolean {
  return kind === LOWER || kind === ACCENTED_LOWER;
}

function isMark(kind: number): boolean {
  return kind === PUNCTUATION || kind === SYMBOL || kind === APOSTROPHE;
}

function isBlank(kind: number): boolean {
  return kind === SPACE || kind === BLANK;
}
