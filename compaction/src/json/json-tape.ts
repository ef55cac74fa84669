import { isDigit } from "../text/character-codes.ts";

/**
 * A JSON text as flat arrays of its values, in text order, without changing a lexeme: numbers as they are written,
 * keys in their order, and duplicate keys as often as they occur.
 */
export type JsonTape = {
  readonly text: string;
  readonly kinds: readonly JsonKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** The index of the next value, past this one's members. Keys of an object are values, too. */
  readonly nexts: readonly number[];
  /** White space between values: start and end offsets, alternately. */
  readonly gaps: readonly number[];
};

type JsonKind = "object" | "array" | "string" | "plain";

/** Deeper JSON is left alone: nobody reads it, and every level costs a stack frame. */
const MOST_DEPTH = 64;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;

/** Null unless the whole text is one valid JSON object or array. Time is linear in the text. */
export function scanJson(text: string): JsonTape | null {
  const kinds: JsonKind[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const nexts: number[] = [];
  const gaps: number[] = [];
  let at = 0;

  function skipSpace(): void {
    const start = at;
    let code = text.charCodeAt(at);
    while (code === 32 || code === 10 || code === 9 || code === 13) code = text.charCodeAt(++at);
    if (at > start) gaps.push(start, at);
  }

  function open(kind: JsonKind): number {
    kinds.push(kind);
    starts.push(at);
    ends.push(0);
    nexts.push(0);
    return kinds.length - 1;
  }

  function close(value: number, end: number): boolean {
    at = end;
    ends[value] = end;
    nexts[value] = kinds.length;
    return end >= 0;
  }

  function readString(): boolean {
    return close(open("string"), endOfString(text, at));
  }

  /** Reads members up to the closing bracket, whose code is the opening one's plus two. */
  function readMembers(depth: number, isObject: boolean): boolean {
    const value = open(isObject ? "object" : "array");
    const closing = text.charCodeAt(at) + 2;
    at++;
    skipSpace();
    if (text.charCodeAt(at) === closing) return close(value, at + 1);
    for (;;) {
      if (isObject) {
        if (text.charCodeAt(at) !== QUOTE || !readString()) return false;
        skipSpace();
        if (text.charCodeAt(at++) !== COLON) return false;
        skipSpace();
      }
      if (!readValue(depth)) return false;
      skipSpace();
      const code = text.charCodeAt(at);
      if (code === closing) return close(value, at + 1);
      if (code !== COMMA) return false;
      at++;
      skipSpace();
    }
  }

  function readValue(depth: number): boolean {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return readString();
    if (code === 123 || code === 91) return depth < MOST_DEPTH && readMembers(depth + 1, code === 123);
    return close(open("plain"), endOfPlain(text, at));
  }

  skipSpace();
  const code = text.charCodeAt(at);
  if ((code !== 123 && code !== 91) || !readValue(0)) return null;
  skipSpace();
  return at === text.length ? { text, kinds, starts, ends, nexts, gaps } : null;
}

/** The offset after the closing quote; -1 if the string is invalid. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 32) return -1;
    if (code !== BACKSLASH) continue;
    const escaped = text.charCodeAt(++at);
    if (escaped === 117) {
      for (let digit = 0; digit < 4; digit++) if (!isHex(text.charCodeAt(++at))) return -1;
    } else if (!'"\\/bfnrt'.includes(text.charAt(at))) return -1;
  }
  return -1;
}

function isHex(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** The offset after a number, true, false or null; -1 if there is none. */
function endOfPlain(text: string, start: number): number {
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, start)) return start + word.length;
  let at = start;
  if (text.charCodeAt(at) === 45) at++;
  const whole = at;
  at = skipDigits(text, at);
  if (at === whole || (text.charCodeAt(whole) === 48 && at > whole + 1)) return -1;
  if (text.charCodeAt(at) === 46) {
    const fraction = ++at;
    at = skipDigits(text, at);
    if (at === fraction) return -1;
  }
  if ((text.charCodeAt(at) | 32) === 101) {
    at++;
    if (text.charCodeAt(at) === 43 || text.charCodeAt(at) === 45) at++;
    const exponent = at;
    at = skipDigits(text, at);
    if (at === exponent) return -1;
  }
  return at;
}

/** Whether a text would be read as a number, true, false or null. */
export function isPlain(text: string): boolean {
  return endOfPlain(text, 0) === text.length;
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}
