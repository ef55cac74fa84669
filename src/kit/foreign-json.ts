/**
 * JSON that others wrote is parsed here: what a model or a client put into a text, and what a provider answers.
 * `JSON.parse` takes any depth, but writing some 30,000 levels again takes this runtime seconds and ends in an overflow.
 */
export const MAX_FOREIGN_DEPTH = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** With bit 5 set, `[` is `{` and `]` is `}`. */
const OPEN = 0x7b;
const CLOSE = 0x7d;
const CASE_BIT = 0x20;
/** Short strings end within a few characters; a native search costs more than looking at this many. */
const NEAR_CHARACTERS = 16;

export class NestedTooDeep extends SyntaxError {}

/** Throws a SyntaxError for what is no JSON, and for what is nested deeper than anybody means it. */
export function parseForeignJson(text: string): unknown {
  if (isNestedTooDeep(text)) throw new NestedTooDeep("JSON is nested too deep");
  return JSON.parse(text);
}

/** What is no JSON may be misjudged: the parser refuses it, and never goes deeper than what was seen here. */
export function isNestedTooDeep(text: string): boolean {
  const { length } = text;
  // Every level is closed again, so a short text is shallow: pieces of a stream cost nothing.
  if (length <= 2 * MAX_FOREIGN_DEPTH) return false;
  let depth = 0;
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at++);
    if (unit === QUOTE) at = endOfString(text, at);
    else if ((unit | CASE_BIT) === OPEN) {
      if (++depth > MAX_FOREIGN_DEPTH) return true;
    } else if ((unit | CASE_BIT) === CLOSE) depth--;
  }
  return false;
}

/** The place after the closing quote; the length of the text where there is none. */
function endOfString(text: string, start: number): number {
  const near = Math.min(text.length, start + NEAR_CHARACTERS);
  let at = start;
  for (; at < near; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) break;
  }
  // Each round goes beyond a quote, so there are at most as many rounds as quotes.
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote - 1;
    while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
    // An even run of backslashes escapes itself, so the quote is a real one.
    if (((quote - before) & 1) === 1) return quote + 1;
    at = quote + 1;
  }
}
