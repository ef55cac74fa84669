import type { ChatRequest, WrittenParts } from "../../contract/index.ts";
import { writeExactly } from "../../kit/index.ts";
import type { Fields } from "../../wires/index.ts";
import { withShortMarks } from "./encode/cache-marks.ts";

/** What is known of how the caller wrote its own body. */
type Given = Pick<ChatRequest, "asWritten" | "wire">;
type Written = readonly (string | Buffer)[];

/**
 * How the names of cache marks and provider options begin. Not one regular expression for both: depending on the first
 * body it sees, it can be ten times slower.
 */
const MARKS = ['"cache_control"', '"provider'];
/** Parts this near to each other, as written, have nothing but a comma and perhaps a space between them. */
const NEAR_BYTES = 2;

/**
 * The body as it is sent, in pieces: with the digits that the caller wrote, and cache marks for the lifetime that is
 * priced. Parts of the caller's own body that nobody has changed are its own bytes.
 */
export function writtenBody(body: Fields, given: Given): Written {
  const written = write(body, given);
  // Searching is much faster than walking the body, and few bodies have any.
  if (!written.some((piece) => MARKS.some((mark) => piece.includes(mark)))) return written;
  const short = withShortMarks(body);
  return short === body ? written : write(short, given);
}

function write(body: Fields, { wire, asWritten }: Given): Written {
  const exactNumbers = wire?.exactNumbers;
  const writeValue = (value: unknown) =>
    exactNumbers === undefined ? JSON.stringify(value) : writeExactly(value, exactNumbers);
  if (asWritten === undefined) return [writeValue(body)];
  const pieces = new PiecedText(asWritten);
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    pieces.add(`${pieces.isEmpty ? "{" : ","}${JSON.stringify(name)}:`);
    if (Array.isArray(value)) pieces.addList(value, writeValue);
    else pieces.add(writeValue(value));
  }
  pieces.add("}");
  return pieces.end();
}

/** Texts and ranges of the caller's bytes; what follows its like is joined to it. */
class PiecedText {
  readonly #given: WrittenParts;
  readonly #pieces: (string | Buffer)[] = [];
  #text = "";
  #range: { readonly start: number; end: number } | null = null;

  constructor(given: WrittenParts) {
    this.#given = given;
  }

  get isEmpty(): boolean {
    return this.#text === "" && this.#pieces.length === 0;
  }

  add(text: string): void {
    if (this.#range !== null)
      this.#pieces.push(this.#given.bytes.subarray(this.#range.start, this.#range.end));
    this.#range = null;
    this.#text += text;
  }

  addList(list: readonly unknown[], writeValue: (value: unknown) => string): void {
    this.add("[");
    for (const [at, part] of list.entries()) {
      const place = this.#given.placeOf(part);
      if (this.#range !== null && place !== undefined && isNext(this.#range, place))
        this.#range.end = place.end;
      else {
        if (at > 0) this.add(",");
        if (place === undefined) this.add(writeValue(part));
        else {
          this.#pieces.push(this.#text);
          this.#text = "";
          this.#range = place;
        }
      }
    }
    this.add("]");
  }

  end(): Written {
    this.#pieces.push(this.#text);
    return this.#pieces;
  }
}

function isNext(before: { readonly end: number }, { start }: { readonly start: number }): boolean {
  return start > before.end && start - before.end <= NEAR_BYTES;
}
