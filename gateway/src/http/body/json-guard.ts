import type { Place } from "../../contract/index.ts";
import type { Steps } from "../../kit/index.ts";
import { keySteps } from "./key-steps.ts";

/**
 * Reads JSON from bytes, and refuses what `JSON.parse` would accept wrongly or choke on. The guards cost about as
 * much as the parse (bench/json-guard.ts): one pass over the structure before it, and one count of keys after it. Strings
 * are searched only if an escape in the text gives a reason to.
 */

/**
 * A key costs up to a microsecond, a value half of that, and no other call is served meanwhile. The longest
 * conversations that are accepted stay far below these limits. One with a hundred thousand messages still gets the error
 * that it is too long.
 */
export const MAX_JSON_KEYS = 210_000;
export const MAX_JSON_VALUES = 310_000;
/** A numeric key counts as this many: engines keep such keys sorted and apart, which takes several times as long. */
const KEYS_OF_A_NUMBER = 4;
/** A long number counts as one value per this many characters, because it is read digit by digit and then rounded. */
const DIGITS_OF_A_VALUE = 4;
/**
 * An escape costs as much as dozens of plain characters. Two million escaped Chinese characters fill the longest
 * contexts there are; base64 has one in thirty characters if a client escapes its slashes and line breaks.
 */
export const MAX_BACKSLASHES = 2_000_000;
/** A key with more digits is stored like any other name. */
const MAX_INDEX_DIGITS = 10;

/** Closed set: everything that can be wrong with a body before its fields are checked. */
export type JsonRefusal =
  | "not_utf8"
  | "byte_order_mark"
  | "too_deep"
  | "too_many_keys"
  | "too_many_values"
  | "too_many_backslashes"
  | "syntax"
  | "duplicate_key"
  | "nul"
  | "lone_surrogate";

type JsonReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Numbers beyond the safe integers, as written; absent if there are none. */
      readonly longNumbers?: readonly string[];
      /** See `Structure`. Empty if the value may say something else than the bytes. */
      readonly places: readonly Place[];
    }
  | ({ readonly ok: false } & JsonFault);

/** `place` names the field at fault, for texts that are refused: each key and index on the way to it. */
export type JsonFault = { readonly refusal: JsonRefusal; readonly place?: readonly (string | number)[] };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
/** Setting bit 5 turns `[` into `{` and `]` into `}`. */
const OPEN = 0x7b;
const CLOSE = 0x7d;
const CASE_BIT = 0x20;
const ZERO = 0x30;
const THREE = 0x33;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const EXPONENT = 0x65;

/** A double holds every whole number with fewer digits exactly. */
const LONG_DIGITS = 16;
/** Per body; no tool's schema has nearly as many. If there are more, some were not recorded. */
export const MOST_LONG_NUMBERS = 10_000;

/** Objects in a list of the body, such as messages and tools. */
const PART_DEPTH = 3;
/** Shorter bodies are written anew as fast as they are copied. */
const LEAST_WITH_PLACES_BYTES = 8 * 1024;
/** Hardly anybody sends more messages and tools. */
const MOST_PLACES = 20_000;

/** Short strings end within a few bytes; a native search costs more than checking this many. */
const NEAR_BYTES = 16;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Escapes of NUL or of half a surrogate pair. */
const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;
/**
 * Escapes of what a repair may change, and of letters: names are searched for as we write them, and with escapes they
 * would not be found.
 */
const UNLIKE_OURS = /\\u(?:00[04-7]|[dD][89a-fA-F])/;
/** JSON has no such value, so it can stand for text that does not parse. */
const UNPARSED = undefined;

/**
 * `repair` may correct the parsed value in the places where a route accepts NUL or lone surrogates. It is called only if
 * there are any, and those that it leaves are refused. The longest step is the parser itself, which cannot be
 * interrupted.
 */
export function* jsonSteps(
  bytes: Uint8Array,
  maxDepth: number,
  repair?: (value: unknown) => void,
): Steps<JsonReading> {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refused("byte_order_mark");
  const text = decodeUtf8(bytes);
  if (text === null) return refused("not_utf8");
  if (hasTooManyBackslashes(bytes)) return refused("too_many_backslashes");
  const longNumbers: string[] = [];
  const structure: Structure = { longNumbers, places: [] };
  const keys = countStructuralKeys(bytes, maxDepth, structure);
  if (typeof keys === "string") return refused(keys);
  yield;
  const value = parse(text);
  if (value === UNPARSED) return refused("syntax");
  yield;
  if (keys !== (yield* keySteps(value))) return refused("duplicate_key");
  // Searching for one character is much faster than for two, and most bodies have no escapes, or none with `\u`.
  const hasEscapes = text.includes("\\") && text.includes("\\u");
  const fault = hasEscapes ? badEscape(text, value, repair) : null;
  if (fault !== null) return { ok: false, ...fault };
  const places = hasEscapes && UNLIKE_OURS.test(text) ? [] : structure.places;
  return longNumbers.length === 0 ? { ok: true, value, places } : { ok: true, value, longNumbers, places };
}

/** What is noted beside the count of keys. */
type Structure = {
  /** Numbers of many digits, as written. */
  readonly longNumbers: string[];
  /**
   * Of each object or list in a list of the body's own fields. Empty if one of the keys is a number: then the fields of
   * the parsed body have another order.
   */
  readonly places: Place[];
};

// Separate functions: the compiler optimises their caller better without a `try` in it.
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return UNPARSED;
  }
}

/**
 * Counts colons outside strings, one per member as written; a repeated key leaves one fewer after parsing. Invalid
 * JSON may be miscounted, but the parser refuses it, and never nests deeper than what was seen here.
 */
function countStructuralKeys(
  bytes: Uint8Array,
  maxDepth: number,
  { longNumbers, places }: Structure,
): number | "too_deep" | "too_many_keys" | "too_many_values" {
  const length = bytes.length;
  let depth = 0;
  let keys = 0;
  // Every value follows a comma or an opening bracket; an empty list counts as one, too.
  let values = 0;
  // What numeric keys count in addition to `keys`.
  let surplus = 0;
  let lastString = 0;
  const partDepth = length < LEAST_WITH_PLACES_BYTES ? 0 : PART_DEPTH;
  let isInList = false;
  let partStart = -1;
  let at = 0;
  while (at < length) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) {
      lastString = at;
      const near = Math.min(length, at + NEAR_BYTES);
      let next = 0;
      while (at < near) {
        next = bytes[at] as number;
        if (next === QUOTE || next === BACKSLASH) break;
        at++;
      }
      at = next === QUOTE ? at + 1 : endOfString(bytes, at);
      if (bytes[at] === COLON) {
        keys++;
        at++;
        if (mayBeIndex(bytes, lastString)) surplus += KEYS_OF_A_NUMBER - 1;
      }
    } else if (byte >= COLON) {
      if (byte === COLON) {
        keys++;
        if (mayBeIndex(bytes, lastString)) surplus += KEYS_OF_A_NUMBER - 1;
      } else if ((byte | CASE_BIT) === OPEN) {
        values++;
        if (++depth > maxDepth) return "too_deep";
        if (depth === PART_DEPTH - 1) isInList = byte !== OPEN;
        else if (depth === partDepth) partStart = at - 1;
      } else if ((byte | CASE_BIT) === CLOSE) {
        if (depth-- === partDepth && isInList && places.length < MOST_PLACES)
          places.push({ start: partStart, end: at });
      }
    } else if (byte === COMMA) {
      // Looked at here and not only at the end: tens of megabytes of single digits take long to walk through.
      if (++values > MAX_JSON_VALUES) return "too_many_values";
    } else if (byte >= ZERO) {
      const start = at - 1;
      while (at < length && (bytes[at] as number) >= ZERO && (bytes[at] as number) < COLON) at++;
      if (at - start >= LONG_DIGITS || ((bytes[at] as number) | CASE_BIT) === EXPONENT) {
        while (isOfNumber(bytes[at])) at++;
        if (at - start >= LONG_DIGITS) values += Math.floor((at - start) / DIGITS_OF_A_VALUE) - 1;
        if (values > MAX_JSON_VALUES) return "too_many_values";
        noteNumber(bytes, start, at, longNumbers);
      }
    }
  }
  if (surplus > 0) places.length = 0;
  if (keys + surplus > MAX_JSON_KEYS) return "too_many_keys";
  return values > MAX_JSON_VALUES ? "too_many_values" : keys;
}

/** Bodies too short for that many escapes are not scanned. */
export function hasTooManyBackslashes(bytes: Uint8Array): boolean {
  if (bytes.length < 2 * MAX_BACKSLASHES) return false;
  let at = -1;
  for (let count = 0; count <= MAX_BACKSLASHES; count++) {
    at = bytes.indexOf(BACKSLASH, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** True if the key that starts here is a number, perhaps with digits written as escapes. */
function mayBeIndex(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] as number;
  // An escaped digit is `\u003` followed by the digit itself.
  if (first === BACKSLASH)
    return bytes[start + 4] === THREE && isDigit(bytes[start + 5]) && bytes[start + 3] === ZERO;
  if (!isDigit(first)) return false;
  for (let at = start + 1; at <= start + MAX_INDEX_DIGITS; at++)
    if (!isDigit(bytes[at])) return bytes[at] === QUOTE || bytes[at] === BACKSLASH;
  return false;
}

/**
 * Records the number around these digits if it is beyond the safe integers, where several written numbers become the
 * same double. Numbers that lose nothing are recorded, too, to tell them from those that do.
 */
function noteNumber(bytes: Uint8Array, at: number, end: number, longNumbers: string[]): void {
  let start = at;
  while (isOfNumber(bytes[start - 1])) start--;
  if (longNumbers.length <= MOST_LONG_NUMBERS) {
    const written = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
    if (Math.abs(Number(written)) > Number.MAX_SAFE_INTEGER) longNumbers.push(written);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte < COLON;
}

function isOfNumber(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  if (byte >= COLON) return (byte | CASE_BIT) === EXPONENT;
  return byte >= ZERO || byte === POINT || byte === MINUS || byte === PLUS;
}

/** The offset after the closing quote; the length of the text if there is none. `start` does not follow a backslash. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  // Each iteration moves past a quote, so there are at most as many iterations as quotes.
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let before = quote - 1;
    while (before >= start && bytes[before] === BACKSLASH) before--;
    // An even number of backslashes escapes itself, so the quote is a real one.
    if (((quote - before) & 1) === 1) return quote + 1;
    at = quote + 1;
  }
}

/**
 * PostgreSQL cannot store NUL, and no wire can carry half a surrogate pair. Only escapes can produce them; but in
 * `\\u0000` the backslash itself is escaped, so the parsed strings decide.
 */
function badEscape(text: string, value: unknown, repair?: (value: unknown) => void): JsonFault | null {
  const fault = SUSPECT_ESCAPE.test(text) ? findBadString(value) : null;
  if (fault === null || repair === undefined) return fault;
  repair(value);
  return findBadString(value);
}

/** Loops without a list of entries, which for so many values would take longer than the parser did. */
function findBadString(value: unknown): JsonFault | null {
  if (typeof value === "string") return badText(value);
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = findBadString(value[i]);
      if (fault !== null) return within(i, fault);
    }
    return null;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const fault = badText(key) ?? findBadString(members[key]);
    if (fault !== null) return within(key, fault);
  }
  return null;
}

function within(step: string | number, { refusal, place = [] }: JsonFault): JsonFault {
  return { refusal, place: [step, ...place] };
}

function badText(text: string): JsonFault | null {
  if (text.includes("\u0000")) return { refusal: "nul" };
  return text.isWellFormed() ? null : { refusal: "lone_surrogate" };
}

function refused(refusal: JsonRefusal): JsonReading {
  return { ok: false, refusal };
}
