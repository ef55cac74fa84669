/** `length` bytes of a file from offset `start`. */
export type ByteRange = { readonly start: number; readonly length: number };

/** A single range, as browsers and players send it. Lists and malformed ranges are ignored, as the standard allows. */
const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** `whole`: send the whole file. `outside`: the range lies beyond its end. */
export function decodeRange(header: string | null, sizeBytes: number): ByteRange | "whole" | "outside" {
  const match = header === null ? null : SINGLE.exec(header);
  if (match === null) return "whole";
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return "whole";
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "outside" : { start: sizeBytes - length, length };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return "whole";
  return start >= sizeBytes ? "outside" : { start, length: end - start + 1 };
}
