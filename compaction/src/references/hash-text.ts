import { unescapeLine } from "../text/escapes.ts";
import { ESCAPED, type Page } from "../text/pieces.ts";

/** Hashes the content of each piece. */
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

/**
 * Hashes every character: log entries, the buttons of a page and rows of a file may differ in a single digit, and a
 * falsely matching run that is longer than the true one would hide it. Four characters at a time, since each
 * multiplication waits for the one before it.
 */
function hashText(text: string, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 3 < to; at += 4) {
    const left = text.charCodeAt(at) + (text.charCodeAt(at + 1) << 8);
    const right = text.charCodeAt(at + 2) + (text.charCodeAt(at + 3) << 8);
    hash = Math.imul(hash ^ (left + (right << 16)), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
