import { BadAnswer } from "./bad-answer.ts";

export type AnswerHead = {
  readonly status: number;
  readonly isHttp10: boolean;
  readonly headers: AnswerHeaders;
};

/** As much of `Headers` as an answer needs; names in lower case. A name that comes again is joined with commas. */
export class AnswerHeaders {
  readonly #values = new Map<string, string>();

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values.entries();
  }

  add(name: string, value: string): void {
    const earlier = this.#values.get(name);
    this.#values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-5]\d\d(?: |\r\n|$)/;
const MINOR_AT = "HTTP/1.".length;
const STATUS_AT = "HTTP/1.1 ".length;
const STATUS_CHARS = 3;
/**
 * All lines after the first in one look. NUL and a lone CR hide headers from one reader and show them to another; a line
 * that goes on in the next one is refused, as all of HTTP does by now.
 */
const LINES = /^[^\0\r\n]*(?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[^\0\r\n]*)*$/;
const BREAK = "\r\n";

/** Of the text before the empty line. */
export function parseHead(text: string): AnswerHead {
  if (!STATUS_LINE.test(text)) throw new BadAnswer("no status line");
  if (!LINES.test(text)) throw new BadAnswer("a header that is none");
  return {
    status: Number(text.slice(STATUS_AT, STATUS_AT + STATUS_CHARS)),
    isHttp10: text[MINOR_AT] === "0",
    headers: headersOf(text),
  };
}

function headersOf(text: string): AnswerHeaders {
  const headers = new AnswerHeaders();
  let end = text.indexOf(BREAK);
  // Each round goes on by a line.
  while (end >= 0) {
    const start = end + BREAK.length;
    const colon = text.indexOf(":", start);
    end = text.indexOf(BREAK, colon);
    headers.add(
      text.slice(start, colon).toLowerCase(),
      withoutBlanks(text, colon + 1, end < 0 ? text.length : end),
    );
  }
  return headers;
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
