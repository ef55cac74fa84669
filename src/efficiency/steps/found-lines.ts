import { endOfPath } from "./own-lines.ts";

/** Nobody has longer paths. */
const MOST_PATH = 512;
/** The signs of a path; behind a colon stands what was found in the file. */
const NAME = /^(?!\/\/)[^\s"'`;,=<>{}:|*]+/;
const PATH = /[\\/]|\.\w{1,12}$/;

/**
 * How much of a line that a search has found says where that is: a path with its number, a path before a colon, or all of
 * it where it is a path; none where it is nothing else than what stands in a file. Bound: so much of a line is read.
 */
export function endOfPlace(text: string, start: number, end: number): number {
  if (endOfPath(text, start, end) > start) return end;
  const name = NAME.exec(text.slice(start, Math.min(end, start + MOST_PATH)))?.[0] ?? "";
  if (!PATH.test(name)) return start;
  const behind = start + name.length;
  if (behind === end) return end;
  return text.charAt(behind) === ":" ? behind + 1 : start;
}
