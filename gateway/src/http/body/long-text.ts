import { freeBytes } from "../../kit/index.ts";

/** A text that is read in pieces; a string is one, too. */
export type LongText = {
  readonly length: number;
  slice(start: number, end: number): string;
  /** For the last reader: frees the body that the text was cut out of, and thus all texts cut out of it. */
  free?(): void;
  /** Only for texts written with escapes: the same text without its line breaks, or null if it has none. */
  withoutLineBreaks?(): LongText | null;
};

const BLANK = 0x20;
const CASE_BIT = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const PLUS = 0x2b;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const [ZERO, TWO, THREE] = [0x30, 0x32, 0x33];
const [LETTER_B, LETTER_D, LETTER_F, LETTER_N, LETTER_R, LETTER_U] = [0x62, 0x64, 0x66, 0x6e, 0x72, 0x75];
/** For escapes that are not supported here. */
const NONE = 0;

/** A position is recorded every so many characters, so that reading a piece never starts from the beginning. */
const STEP_CHARACTERS = 1 << 16;
/** How far to search for the next escape at a time: there may be none until the end. */
const WINDOW_BYTES = 1 << 16;

/** Bytes that need no unescaping. */
export function plainText(bytes: Buffer): LongText {
  return {
    length: bytes.length,
    slice: (start, end) => bytes.toString("latin1", start, end),
    free: () => freeBytes(bytes),
  };
}

/**
 * The text of a JSON string as written between its quotes. Escapes are undone in the piece being read, not in the
 * bytes: these are the body, whose hash identifies a repeat. Null if it has escapes that base64 is not written with.
 */
export function escapedText(bytes: Buffer): LongText | null {
  const steps: Step[] = [];
  let at = 0;
  let characters = 0;
  let lineBreaks = 0;

  function noteStep(): void {
    const before = steps.at(-1)?.characters ?? Number.NEGATIVE_INFINITY;
    if (characters - before >= STEP_CHARACTERS) steps.push({ at, characters, lineBreaks });
  }

  function passPlain(end: number): void {
    while (at < end) {
      noteStep();
      const run = Math.min(end - at, STEP_CHARACTERS);
      at += run;
      characters += run;
    }
  }

  for (let next = bytes.indexOf(BACKSLASH); next >= 0; next = bytes.indexOf(BACKSLASH, at)) {
    passPlain(next);
    const character = escapedCharacter(bytes, at);
    if (character === NONE) return null;
    noteStep();
    if (character < BLANK) lineBreaks++;
    characters++;
    at += escapeBytes(bytes, at);
  }
  passPlain(bytes.length);
  return {
    ...readInSteps({ bytes, steps, length: characters, keepsLineBreaks: true }),
    withoutLineBreaks() {
      if (lineBreaks === 0) return null;
      const fewer = steps.map((step) => ({ ...step, characters: step.characters - step.lineBreaks }));
      return readInSteps({ bytes, steps: fewer, length: characters - lineBreaks, keepsLineBreaks: false });
    },
  };
}

/** An offset in the bytes, and how many characters and escaped line breaks of the text come before it. */
type Step = { readonly at: number; readonly characters: number; readonly lineBreaks: number };

type Stepped = {
  readonly bytes: Buffer;
  readonly steps: readonly Step[];
  readonly length: number;
  readonly keepsLineBreaks: boolean;
};

function readInSteps({ bytes, steps, length, keepsLineBreaks }: Stepped): LongText {
  let room = Buffer.alloc(0);
  return {
    length,
    slice(start, end) {
      const step = steps.findLast(({ characters }) => characters <= start);
      const count = Math.min(end, length) - start;
      if (step === undefined || count <= 0) return "";
      if (room.length < count) room = Buffer.alloc(count);
      const skipped = start - step.characters;
      undoEscapes(bytes, step.at, { skipped, room: room.subarray(0, count), keepsLineBreaks });
      return room.toString("latin1", 0, count);
    },
    free: () => freeBytes(bytes),
  };
}

type Undoing = { readonly skipped: number; readonly room: Buffer; readonly keepsLineBreaks: boolean };

/** Fills `room` with the unescaped characters from `start` on, after the first `skipped` ones. */
function undoEscapes(bytes: Buffer, start: number, { skipped, room, keepsLineBreaks }: Undoing): void {
  let left = skipped;
  let count = 0;
  for (let at = start; at < bytes.length && count < room.length; ) {
    const window = bytes.subarray(at, at + WINDOW_BYTES);
    let from = 0;
    while (from < window.length && count < room.length) {
      const found = window.indexOf(BACKSLASH, from);
      const end = found < 0 ? window.length : found;
      const passed = Math.min(left, end - from);
      const run = Math.min(end - from - passed, room.length - count);
      if (run > 0) window.copy(room, count, from + passed, from + passed + run);
      left -= passed;
      count += run;
      from += passed + run;
      if (from !== found) continue;
      const character = escapedCharacter(bytes, at + from);
      from += escapeBytes(bytes, at + from);
      if (character < BLANK && !keepsLineBreaks) continue;
      if (left > 0) left--;
      else if (count < room.length) room[count++] = character;
    }
    at += from;
  }
}

function escapeBytes(bytes: Buffer, at: number): number {
  return bytes[at + 1] === LETTER_U ? 6 : 2;
}

/** The character that the escape at this backslash stands for, or `NONE`. */
function escapedCharacter(bytes: Buffer, at: number): number {
  const letter = bytes[at + 1];
  if (letter === SLASH) return SLASH;
  if (letter === LETTER_N) return LINE_FEED;
  if (letter === LETTER_R) return CARRIAGE_RETURN;
  if (letter !== LETTER_U || bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) return NONE;
  const digit = (bytes[at + 5] ?? NONE) | CASE_BIT;
  if (bytes[at + 4] === THREE) return digit === LETTER_D ? EQUALS : NONE;
  if (bytes[at + 4] !== TWO) return NONE;
  if (digit === LETTER_B) return PLUS;
  return digit === LETTER_F ? SLASH : NONE;
}
