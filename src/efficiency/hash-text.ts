import { unescapeLine } from "./escapes.ts";
import { ESCAPED, type Page } from "./pieces.ts";

/** About so many characters of a piece are read: whoever finds two hashes equal compares the texts anyway. */
const SAMPLES = 16;

/** Hashes what each piece says. */
export function hashPieces({ text, pieces, first, end }: Page): void {
  const { body, end: ends, number, hash } = pieces;
  for (let piece = first; piece < end; piece++) {
    const from = body[piece] as number;
    const to = ends[piece] as number;
    hash[piece] = number[piece] === ESCAPED ? hashEscaped(text, from, to) : hashText(text, from, to);
  }
}

function hashEscaped(text: string, from: number, to: number): number {
  const line = unescapeLine(text.slice(from, to));
  return hashText(line, 0, line.length);
}

function hashText(text: string, from: number, to: number): number {
  const size = to - from;
  const stride = 1 + ((size / SAMPLES) | 0);
  let hash = size;
  for (let at = from; at < to; at += stride) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  // The ends of lines tell more than their middles.
  if (size > 0) hash = (Math.imul(hash, 31) + text.charCodeAt(to - 1)) | 0;
  return hash;
}
