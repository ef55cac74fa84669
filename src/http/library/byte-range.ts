/** Bytes `start` to `start + length` of a file. */
export type ByteRange = { readonly start: number; readonly length: number };

/** One range, as browsers and players ask for it. Lists and anything odd are ignored, as the standard allows. */
const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** `whole`: send all of it. `outside`: there are no such bytes. */
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
