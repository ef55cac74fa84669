import type { ChatRequest, Place } from "../../contract/index.ts";
import { writeExactly } from "../../kit/index.ts";
import type { Fields } from "../../wires/index.ts";
import { withShortMarks } from "./encode/cache-marks.ts";

/** What is known of how the caller wrote its own body. */
type Given = Pick<ChatRequest, "asWritten" | "wire">;
type Pieces = (string | Buffer<ArrayBuffer>)[];

/**
 * How the names of cache marks and provider options begin. Not one regular expression for both: depending on the first
 * body it sees, it can be ten times slower.
 */
const MARKS = ['"cache_control"', '"provider'];
/** Parts this near to each other, as written, have nothing but a comma and perhaps a space between them. */
const NEAR_BYTES = 2;
/** Each piece is a write of its own: more of them cost more than a copy of all. */
const MOST_PIECES = 8;

/**
 * The body as it is sent, in pieces: with the digits that the caller wrote, and cache marks for the lifetime that is
 * priced. Parts of the caller's own body that nobody has changed are its own bytes.
 */
export function writtenBody(body: Fields, given: Given): Pieces {
  const written = write(body, given);
  // Searching is much faster than walking the body, and few bodies have any.
  if (!written.some((piece) => MARKS.some((mark) => piece.includes(mark)))) return written;
  const short = withShortMarks(body);
  return short === body ? written : write(short, given);
}

function write(body: Fields, { wire, asWritten }: Given): Pieces {
  const exactNumbers = wire?.exactNumbers;
  const textOf = (value: unknown) =>
    exactNumbers === undefined ? JSON.stringify(value) : writeExactly(value, exactNumbers);
  if (asWritten === undefined) return [textOf(body)];
  const { bytes, places } = asWritten;
  const pieces: Pieces = [];
  let text = "";
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    text += `${text === "" && pieces.length === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    for (const each of Array.isArray(value) ? inList(value, places, textOf) : [textOf(value)]) {
      if (typeof each === "string") text += each;
      else {
        pieces.push(text, bytes.subarray(each.start, each.end));
        text = "";
      }
    }
  }
  pieces.push(`${text}}`);
  return pieces.length > MOST_PIECES ? [Buffer.concat(pieces.map((piece) => Buffer.from(piece)))] : pieces;
}

/** Texts, and places of the caller's bytes. */
function inList(
  list: readonly unknown[],
  places: ReadonlyMap<unknown, Place>,
  textOf: (part: unknown) => string,
): (string | Place)[] {
  const written: (string | Place)[] = ["["];
  for (const [at, part] of list.entries()) {
    const place = places.get(part);
    const before = written.at(-1);
    if (typeof before === "object" && place !== undefined && isNext(before, place))
      written[written.length - 1] = { start: before.start, end: place.end };
    else written.push(at === 0 ? "" : ",", place ?? textOf(part));
  }
  written.push("]");
  return written;
}

function isNext(before: Place, { start }: Place): boolean {
  return start > before.end && start - before.end <= NEAR_BYTES;
}
