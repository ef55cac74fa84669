import { freeBytes } from "../../kit/index.ts";

/** A text that is read in pieces; a string is one. */
export type LongText = {
  readonly length: number;
  slice(start: number, end: number): string;
  /** For whoever reads it last: frees the memory of the body that it was cut out of, and so of all of its texts. */
  free?(): void;
  /** Of texts that were written with escapes: the same without its line breaks, null where it has none. */
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
/** No escape that is known here stands for it. */
const NONE = 0;

/** Where every so many characters begin is remembered, so that no piece is searched for from the beginning. */
const STEP_CHARACTERS = 1 << 16;
const STEP_ROOM = Buffer.alloc(STEP_CHARACTERS);

/** Bytes that are text as they are. */
export function plainText(bytes: Buffer): LongText {
  return {
    length: bytes.length,
    slice: (start, end) => bytes.toString("latin1", start, end),
    free: () => freeBytes(bytes),
  };
}

/**
 * The text of a JSON string as it is written there, between its quotes. Escapes are undone in the piece that is read,
 * not in the bytes: those are the body, and what makes two calls the same. Null where it has other escapes than encoders
 * write base64 with.
 */
export function escapedText(bytes: Buffer): LongText | null {
  const steps: Step[] = [];
  let characters = 0;
  let lineBreaks = 0;
  for (let at = 0; at < bytes.length; ) {
    steps.push({ at, characters, lineBreaks });
    const read = undoEscapes(bytes, at, { room: STEP_ROOM, keepsLineBreaks: true });
    if (read === null) return null;
    at = read.end;
    characters += read.count;
    lineBreaks += read.lineBreaks;
  }
  return {
    ...readInSteps({ bytes, steps, length: characters, keepsLineBreaks: true }),
    withoutLineBreaks() {
      if (lineBreaks === 0) return null;
      const fewer = steps.map((step) => ({ ...step, characters: step.characters - step.lineBreaks }));
      return readInSteps({ bytes, steps: fewer, length: characters - lineBreaks, keepsLineBreaks: false });
    },
  };
}

/** A place in the bytes, and how many characters and escaped line breaks of the text come before it. */
type Step = { readonly at: number; readonly characters: number; readonly lineBreaks: number };

type Stepped = {
  readonly bytes: Buffer;
  readonly steps: readonly Step[];
  readonly length: number;
  readonly keepsLineBreaks: boolean;
};

function readInSteps({ bytes, steps, length, keepsLineBreaks }: Stepped): LongText {
  let room = STEP_ROOM;
  return {
    length,
    slice(start, end) {
      const step = steps.findLast(({ characters }) => characters <= start);
      const count = Math.min(end, length) - start;
      if (step === undefined || count <= 0) return "";
      const before = start - step.characters;
      if (room.length < before + count) room = Buffer.alloc(before + count);
      undoEscapes(bytes, step.at, { room: room.subarray(0, before + count), keepsLineBreaks });
      return room.toString("latin1", before, before + count);
    },
    free: () => freeBytes(bytes),
  };
}

/** Fills the room from there on, as far as the text goes: with how many characters, and where the next one begins. */
function undoEscapes(
  bytes: Buffer,
  start: number,
  { room, keepsLineBreaks }: { readonly room: Buffer; readonly keepsLineBreaks: boolean },
): { readonly count: number; readonly lineBreaks: number; readonly end: number } | null {
  const [most, length] = [room.length, bytes.length];
  let count = 0;
  let lineBreaks = 0;
  let at = start;
  while (at < length && count < most) {
    let character = bytes[at] as number;
    if (character === BACKSLASH) {
      character = escapedCharacter(bytes, at);
      if (character === NONE) return null;
      at += bytes[at + 1] === LETTER_U ? 6 : 2;
      if (character < BLANK) {
        lineBreaks++;
        if (!keepsLineBreaks) continue;
      }
    } else at++;
    room[count++] = character;
  }
  return { count, lineBreaks, end: at };
}

/** What the escape at this backslash stands for. */
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
