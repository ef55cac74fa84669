/** The kinds of bytes by which a text is cut into words: three bits each. */
const LOWER = 0;
const UPPER = 1;
const MARK = 2;
const APOSTROPHE = 3;
export const BLANK = 4;
const LINE_BREAK = 5;
const DIGIT = 6;
/** A byte of a character beyond ASCII: read as a small letter here, and closer where a word is counted. */
export const HIGH = 7;

export const KIND_OF: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));

function kindOf(byte: number): number {
  if (byte > 127) return HIGH;
  const character = String.fromCharCode(byte);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (character === "'") return APOSTROPHE;
  if (character === "\n" || character === "\r") return LINE_BREAK;
  return /\s/.test(character) ? BLANK : MARK;
}

/** The kinds of two bytes that are read as one number; the first one is its lower half on every supported machine. */
export const KINDS_OF_PAIR: Uint8Array = Uint8Array.from(
  { length: 65_536 },
  (_, pair) => ((KIND_OF[pair & 255] as number) << 3) | (KIND_OF[pair >> 8] as number),
);

/** Five kinds are read at once, to decide about the third and the fourth byte. */
export const LAST_FIVE = 0x7fff;

/** Index: five kinds. Value: 1 if a word begins at the third of them, plus 2 if one begins at the fourth. */
export const BEGINS: Uint8Array = Uint8Array.from({ length: LAST_FIVE + 1 }, (_, kinds) => {
  const [one, two, three, four, five] = [12, 9, 6, 3, 0].map((shift) => (kinds >> shift) & 7) as [
    ...[number, number, number, number, number],
  ];
  return (begins(one, two, three, four) ? 1 : 0) | (begins(two, three, four, five) ? 2 : 0);
});

/**
 * Whether a word begins at a byte: the rules of o200k's pattern, as far as four kinds can express them. A text that
 * ends is followed by blanks, and no rule begins a word because of them: appended text removes no word.
 */
function begins(before: number, previous: number, kind: number, next: number): boolean {
  if (kind === DIGIT) return previous !== DIGIT;
  if (previous === DIGIT) return true;
  if (isLetter(kind)) return letterBegins(before, previous, kind);
  if (kind === BLANK) return previous !== BLANK || (next !== BLANK && next !== LINE_BREAK);
  if (kind === LINE_BREAK) return isLetter(previous);
  if (kind === APOSTROPHE && isLetter(previous) && (isSmall(next) || next === BLANK)) return false;
  return !isMark(previous) && previous !== BLANK;
}

/** A single mark or blank belongs to the word after it; several marks, or one after a blank, are a word of their own. */
function letterBegins(before: number, previous: number, kind: number): boolean {
  if (isLetter(previous)) return isSmall(previous) && kind === UPPER;
  if (previous === BLANK) return false;
  if (previous === APOSTROPHE && isLetter(before) && isSmall(kind)) return false;
  return previous === LINE_BREAK || isMark(before) || before === BLANK;
}

function isLetter(kind: number): boolean {
  return kind <= UPPER || kind === HIGH;
}

function isSmall(kind: number): boolean {
  return kind === LOWER || kind === HIGH;
}

function isMark(kind: number): boolean {
  return kind === MARK || kind === APOSTROPHE;
}
