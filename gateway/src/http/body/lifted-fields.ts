import { hasTooManyBackslashes } from "./json-guard.ts";
import { escapedText, type LongText, plainText } from "./long-text.ts";

/**
 * Bodies that carry media are mostly one long string, and parsing would make three copies of it. So the values of
 * fields that are known to be long are cut out of the bytes before parsing, and read from there in pieces.
 */

type LiftedBody = {
  /** The same JSON with a mark in place of each text that was cut out. */
  readonly rest: Uint8Array;
  readonly lifted: LiftedTexts;
};

/** Keyed by their marks, which are random for each body, so that no client can forge one. */
export type LiftedTexts = ReadonlyMap<string, LongText>;

export const NOTHING_LIFTED: LiftedTexts = new Map();

/** Shorter values are cheaper to parse than to cut out. */
const MIN_LIFTED_BYTES = 64 * 1024;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const MOST_LIFTED = 16;
/** How many occurrences of a field's name are examined; values after that are left in place. */
const MOST_LOOKS = 1_000;

type Range = { readonly start: number; readonly end: number; readonly value: LongText };

/**
 * Cuts out the values of these fields, wherever they are. A quote right after a field's name ends a string, since
 * nothing escapes it, so what follows the colon is a value. Values with escapes that base64 is not written with are
 * left in place. Invalid JSON stays invalid in the rest.
 */
export function liftFields(bytes: Uint8Array, fields: readonly string[]): LiftedBody {
  if (bytes.length < MIN_LIFTED_BYTES) return { rest: bytes, lifted: NOTHING_LIFTED };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The parser of the rest refuses bodies with too many escapes, but would not see those that were cut out.
  let areFew: boolean | undefined;
  const liftsEscaped = () => (areFew ??= !hasTooManyBackslashes(bytes));
  const ranges = fields
    .flatMap((field) => valuesOf(text, field, liftsEscaped))
    .sort((one, two) => one.start - two.start)
    .slice(0, MOST_LIFTED);
  const pieces: Uint8Array[] = [];
  const lifted = new Map<string, LongText>();
  let at = 0;
  for (const { start, end, value } of ranges) {
    const mark = `@${crypto.randomUUID()}`;
    pieces.push(text.subarray(at, start), Buffer.from(mark));
    lifted.set(mark, value);
    at = end;
  }
  pieces.push(text.subarray(at));
  return { rest: Buffer.concat(pieces), lifted };
}

/** The text that a mark stands for, or the string itself if it is not a mark. */
export function longTextOf(value: string, lifted: LiftedTexts): LongText {
  return lifted.get(value) ?? value;
}

/** Ranges exclude the quotes. Each iteration moves past one occurrence of the name, and their number is bounded. */
function valuesOf(text: Buffer, field: string, liftsEscaped: () => boolean): Range[] {
  const name = `"${field}"`;
  const found: Range[] = [];
  let looks = 0;
  for (let at = text.indexOf(name); at >= 0 && found.length < MOST_LIFTED; at = text.indexOf(name, at)) {
    if (++looks > MOST_LOOKS) break;
    at += name.length;
    const colon = pastBlanks(text, at);
    if (text[colon] !== COLON) continue;
    const quote = pastBlanks(text, colon + 1);
    if (text[quote] !== QUOTE) continue;
    const start = quote + 1;
    const end = text.indexOf(QUOTE, start);
    if (end - start < MIN_LIFTED_BYTES) continue;
    const written = text.subarray(start, end);
    const isPlain = !written.includes(BACKSLASH);
    const value = isPlain ? plainText(written) : liftsEscaped() ? escapedText(written) : null;
    if (value !== null) found.push({ start, end, value });
    at = end;
  }
  return found;
}

const MOST_BLANKS = 64;

function pastBlanks(text: Buffer, from: number): number {
  let at = from;
  while (at < from + MOST_BLANKS && BLANKS.has(text[at] ?? 0)) at++;
  return at;
}
