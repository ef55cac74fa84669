/**
 * JSON that others wrote is parsed here: texts of models and clients, and replies of providers. `JSON.parse` accepts
 * any depth, but stringifying some 30,000 levels takes this runtime seconds and ends in a stack overflow.
 */
export const MAX_FOREIGN_DEPTH = 512;
/**
 * Parsing a key that is new takes a microsecond or two, and blocks the event loop. Replies repeat the tools and schemas
 * of their request, which has at most two thirds of this.
 */
export const MAX_FOREIGN_KEYS = 300_000;
/**
 * A value costs a fortieth of a new key, and an object or list as much as several values. A reply of 32,768 tokens,
 * with twenty alternatives and their bytes for each, has some eleven million: clients that ask for those get them.
 */
export const MAX_FOREIGN_VALUES = 12_000_000;
/** Counted as this many values. */
const CONTAINER_WEIGHT = 5;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** With bit 5 set, `[` becomes `{` and `]` becomes `}`. */
const OPEN = 0x7b;
const CLOSE = 0x7d;
const CASE_BIT = 0x20;
/** Most strings end within a few characters; scanning this many is cheaper than a native search. */
const NEAR_CHARACTERS = 16;

/** The text is JSON as far as it was scanned, but exceeds our limits. */
export class ForeignExcess extends SyntaxError {}

/** Throws a SyntaxError for invalid JSON, and for JSON that is deeper or larger than anybody needs. */
export function parseForeignJson(text: string, mostKeys?: number): unknown {
  const excess = excessOf(text, mostKeys);
  if (excess !== null) throw new ForeignExcess(`JSON ${excess}`);
  return JSON.parse(text);
}

/**
 * Which limit a JSON text exceeds; null if none. Invalid JSON may be misjudged: the parser rejects it anyway, and never
 * builds more from it than was counted here.
 */
export function excessOf(
  text: string,
  mostKeys = MAX_FOREIGN_KEYS,
  mostValues = MAX_FOREIGN_VALUES,
): string | null {
  const { length } = text;
  // Every level must be closed again, so a short text is shallow: chunks of a stream are not scanned.
  if (length <= 2 * MAX_FOREIGN_DEPTH) return null;
  let depth = 0;
  let keys = 0;
  // Each value follows a comma or an opening bracket.
  let values = 0;
  let at = 0;
  /** Bounds of the last string: it is a key if a colon follows. */
  let start = 0;
  let end = 0;
  while (at < length) {
    const unit = text.charCodeAt(at++);
    if (unit === QUOTE) {
      start = at;
      at = endOfString(text, at);
      end = at - 1;
    } else if (unit >= COLON) {
      if (unit === COLON) {
        if (!isOfLogprobs(text, start, end) && ++keys > mostKeys) return "has too many keys";
      } else if ((unit | CASE_BIT) === OPEN) {
        values += CONTAINER_WEIGHT;
        if (++depth > MAX_FOREIGN_DEPTH) return "is nested too deep";
        if (values > mostValues) return "has too many values";
      } else if ((unit | CASE_BIT) === CLOSE) depth--;
    } else if (unit === COMMA && ++values > mostValues) return "has too many values";
  }
  return null;
}

/**
 * The keys that a reply repeats for every alternative of every token. They cost no more than values: so few keys make
 * few object shapes, which the parser has cached after the first of each.
 */
function isOfLogprobs(text: string, start: number, end: number): boolean {
  switch (end - start) {
    case 2:
      return text.startsWith("id", start);
    case 5:
      return text.startsWith("token", start) || text.startsWith("bytes", start);
    case 7:
      return text.startsWith("logprob", start);
    case 12:
      return text.startsWith("top_logprobs", start);
    default:
      return false;
  }
}

/** Index after the closing quote; the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  const near = Math.min(text.length, start + NEAR_CHARACTERS);
  let at = start;
  for (; at < near; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) break;
  }
  // Each round passes a quote, so there are at most as many rounds as quotes.
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote - 1;
    while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
    // An even run of backslashes escapes only itself, so the quote ends the string.
    if (((quote - before) & 1) === 1) return quote + 1;
    at = quote + 1;
  }
}
