import { BadAnswer } from "./bad-answer.ts";

export type AnswerHead = {
  readonly status: number;
  readonly isHttp10: boolean;
  /** The values of `transfer-encoding` and `content-length`. */
  readonly coding: string | null;
  readonly length: string | null;
  readonly headers: AnswerHeaders;
};

const BREAK = "\r\n";

/**
 * The part of `Headers` that we need; names are in lower case, and repeated headers are joined with commas. Providers
 * send dozens and a call reads a handful, so each is looked up in the text only when it is asked for.
 */
export class AnswerHeaders {
  readonly #text: string;
  /** As long as `#text`, so offsets match: the head is latin1, where lower-casing keeps the length. */
  readonly #lower: string;

  /** `text` is a head whose lines have already been validated. */
  constructor(text: string) {
    this.#text = text;
    this.#lower = text.toLowerCase();
  }

  get(name: string): string | null {
    const sought = `${BREAK}${name}:`;
    const at = this.#lower.indexOf(sought);
    if (at < 0) return null;
    const value = this.#valueAt(at + sought.length);
    const again = this.#lower.indexOf(sought, at + sought.length);
    return again < 0 ? value : this.#joined(sought, value, again);
  }

  has(name: string): boolean {
    return this.#lower.includes(`${BREAK}${name}:`);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    const values = new Map<string, string>();
    for (let start = this.#lower.indexOf(BREAK); start >= 0; start = this.#lower.indexOf(BREAK, start)) {
      start += BREAK.length;
      const colon = this.#lower.indexOf(":", start);
      const name = this.#lower.slice(start, colon);
      const [earlier, value] = [values.get(name), this.#valueAt(colon + 1)];
      values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
    }
    return values.entries();
  }

  #joined(sought: string, first: string, again: number): string {
    let joined = first;
    for (let at = again; at >= 0; at = this.#lower.indexOf(sought, at + sought.length)) {
      joined += `, ${this.#valueAt(at + sought.length)}`;
    }
    return joined;
  }

  #valueAt(start: number): string {
    const end = this.#text.indexOf(BREAK, start);
    return withoutBlanks(this.#text, start, end < 0 ? this.#text.length : end);
  }
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-5]\d\d(?: |\r\n|$)/;
const MINOR_AT = "HTTP/1.".length;
const STATUS_AT = "HTTP/1.1 ".length;
const STATUS_CHARS = 3;
/**
 * Validates all lines after the first at once. NUL and a lone CR hide headers from one parser and show them to another;
 * folded lines are refused, since HTTP has deprecated them.
 */
const LINES = /^[^\0\r\n]*(?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\0\r\n]*)*$/;

/** `text` is everything before the empty line. */
export function parseHead(text: string): AnswerHead {
  if (!STATUS_LINE.test(text)) throw new BadAnswer("no status line");
  if (!LINES.test(text)) throw new BadAnswer("a header that is none");
  const headers = new AnswerHeaders(text);
  return {
    status: Number(text.slice(STATUS_AT, STATUS_AT + STATUS_CHARS)),
    isHttp10: text[MINOR_AT] === "0",
    coding: headers.get("transfer-encoding"),
    length: headers.get("content-length"),
    headers,
  };
}

function withoutBlanks(text: string, from: number, until: number): string {
  let start = from;
  let end = until;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
