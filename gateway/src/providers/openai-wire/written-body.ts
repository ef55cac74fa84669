import type { ChatRequest, WrittenParts } from "../../contract/index.ts";
import { writeExactly } from "../../kit/index.ts";
import type { Fields } from "../../wires/index.ts";
import { withShortMarks } from "./encode/cache-marks.ts";

/** What is known of how the caller wrote its own body. */
type Given = Pick<ChatRequest, "asWritten" | "wire">;

/**
 * How the names of cache marks and provider options begin. Not one regular expression for both: depending on the first
 * body it sees, it can be ten times slower.
 */
const MARKS = ['"cache_control"', '"provider'];
/** Parts this near to each other, as written, have nothing but a comma and perhaps a space between them. */
const NEAR_BYTES = 2;

/**
 * The body as it is sent: with the digits that the caller wrote, and cache marks for the lifetime that is priced. Parts
 * of the caller's own body that nobody has changed are sent as they were written.
 */
export function writtenBody(body: Fields, given: Given): string | Buffer<ArrayBuffer> {
  const written = write(body, given);
  // Searching is much faster than walking the body, and few bodies have any.
  if (!MARKS.some((mark) => written.includes(mark))) return written;
  const short = withShortMarks(body);
  return short === body ? written : write(short, given);
}

function write(body: Fields, { wire, asWritten }: Given): string | Buffer<ArrayBuffer> {
  const exactNumbers = wire?.exactNumbers;
  const writeValue = (value: unknown): string =>
    exactNumbers === undefined ? JSON.stringify(value) : writeExactly(value, exactNumbers);
  if (asWritten === undefined) return writeValue(body);
  const pieces: Piece[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    pieces.push(`${pieces.length === 0 ? "{" : ","}${JSON.stringify(name)}:`);
    if (Array.isArray(value)) addList(pieces, value, asWritten, writeValue);
    else pieces.push(writeValue(value));
  }
  pieces.push("}");
  return joined(pieces, asWritten.bytes);
}

/** A text, or a range of the caller's bytes. */
type Piece = string | { readonly start: number; end: number };

function addList(
  pieces: Piece[],
  list: readonly unknown[],
  asWritten: WrittenParts,
  writeValue: (value: unknown) => string,
): void {
  pieces.push("[");
  for (const [at, part] of list.entries()) {
    const place = asWritten.placeOf(part);
    const before = pieces.at(-1);
    const isBehind = typeof before === "object" && place !== undefined && place.start > before.end;
    if (isBehind && place.start - before.end <= NEAR_BYTES) before.end = place.end;
    else {
      if (at > 0) pieces.push(",");
      pieces.push(place ?? writeValue(part));
    }
  }
  pieces.push("]");
}

function joined(pieces: readonly Piece[], bytes: Uint8Array): Buffer<ArrayBuffer> {
  let sizeBytes = 0;
  for (const piece of pieces)
    sizeBytes += typeof piece === "string" ? Buffer.byteLength(piece) : piece.end - piece.start;
  const whole = Buffer.allocUnsafe(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += whole.write(piece, at);
    else {
      whole.set(bytes.subarray(piece.start, piece.end), at);
      at += piece.end - piece.start;
    }
  }
  return whole;
}
