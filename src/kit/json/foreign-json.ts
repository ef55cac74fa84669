/**
 * JSON that others wrote is parsed here: what a model or a client put into a text, and what a provider answers.
 * `JSON.parse` takes any depth, but writing some 30,000 levels again takes this runtime seconds and ends in an overflow.
 */
export const MAX_FOREIGN_DEPTH = 512;
/**
 * Parsing takes a microsecond or two for a name that is new, and nobody else is served meanwhile. Answers repeat the
 * tools and schemas of their request, which has at most two thirds of this.
 */
export const MAX_FOREIGN_KEYS = 300_000;
/**
 * Values take a fortieth of that, and objects and lists as much as several. An answer of 32,768 tokens, with twenty
 * alternatives for each and the bytes of all, has some eleven millions: whoever asks for those has them.
 */
export const MAX_FOREIGN_VALUES = 12_000_000;
/** In values. */
const CONTAINER_WEIGHT = 5;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
/** With bit 5 set, `[` is `{` and `]` is `}`. */
const OPEN = 0x7b;
const CLOSE = 0x7d;
const CASE_BIT = 0x20;
/** Short strings end within a few characters; a native search costs more than looking at this many. */
const NEAR_CHARACTERS = 16;

/** Is JSON, as far as it was looked at, and more of it than we read. */
export class ForeignExcess extends SyntaxError {}

/** Throws a SyntaxError for what is no JSON, and for what is deeper or has more in it than anybody means. */
export function parseForeignJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== null) throw new ForeignExcess(`JSON ${excess}`);
  return JSON.parse(text);
}

/**
 * What is too much of a JSON text; null where nothing is. What is no JSON may be misjudged: the parser refuses it, and
 * never makes more of it than what was seen here.
 */
export function excessOf(text: string): string | null {
  const { length } = text;
  // Every level is closed again, so a short text is shallow: pieces of a stream cost nothing.
  if (length <= 2 * MAX_FOREIGN_DEPTH) return null;
  let depth = 0;
  let keys = 0;
  // Each follows a comma or is the first of what opens.
  let values = 0;
  let at = 0;
  /** Of the last string: what stands before a colon is a key. */
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
        if (!isOfLogprobs(text, start, end) && ++keys > MAX_FOREIGN_KEYS) return "has too many keys";
      } else if ((unit | CASE_BIT) === OPEN) {
        values += CONTAINER_WEIGHT;
        if (++depth > MAX_FOREIGN_DEPTH) return "is nested too deep";
        if (values > MAX_FOREIGN_VALUES) return "has too many values";
      } else if ((unit | CASE_BIT) === CLOSE) depth--;
    } else if (unit === COMMA && ++values > MAX_FOREIGN_VALUES) return "has too many values";
  }
  return null;
}

/**
 * The names that an answer repeats for every alternative of every token. They cost no more than values: so few names
 * make few kinds of objects, and the parser knows those after the first of each.
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
