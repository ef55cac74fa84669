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

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** NUL and a lone CR hide headers from one reader and show them to another. */
const UNFIT = /[\0\r\n]/;

/** Of the text before the empty line. A line that goes on in the next one is refused, as all of HTTP does by now. */
export function parseHead(text: string): AnswerHead {
  const lines = text.split("\r\n");
  const status = STATUS_LINE.exec(lines[0] ?? "");
  if (status === null) throw new BadAnswer("no status line");
  const headers = new AnswerHeaders();
  for (let at = 1; at < lines.length; at++) addHeader(lines[at] as string, headers);
  return { status: Number(status[2]), isHttp10: status[1] === "0", headers };
}

function addHeader(line: string, headers: AnswerHeaders): void {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon));
  if (!NAME.test(name) || UNFIT.test(line)) throw new BadAnswer("a header that is none");
  headers.add(name.toLowerCase(), line.slice(colon + 1).trim());
}
