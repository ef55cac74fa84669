import { endOfPath } from "./own-lines.ts";

/** Nobody has longer paths. */
const MOST_PATH = 512;
/** The signs of a path; behind a colon stands what was found in the file. */
const NAME = /^(?!\/\/)(?:[a-zA-Z]:(?=[\\/]))?[^\s"'`;,=<>{}:|*]+/;
const PATH = /[\\/]|\.\w{1,12}$/;
/** From the root, a drive or the folder where the search began, a path may have blanks in it, but no option of a command. */
const ROOTED = /^(?:\.{0,2}\/(?![/*])|[a-zA-Z]:[\\/])(?:[^\s"'`;,=<>{}:|*]| (?=[^\s-])|(?<=\w)=(?=\w))+/;
/** The name of a file, and perhaps its size. */
const FILE = /\.\w{1,12}(?: \(\d[\d.]* ?\w{1,9}\))?$/;

/**
 * How much of a line that a search has found says where that is: a path with its number, a path before a colon, or all of
 * it where it is a path; none where it is nothing else than what stands in a file. Bound: so much of a line is read.
 */
export function endOfPlace(text: string, start: number, end: number): number {
  if (endOfPath(text, start, end) > start) return end;
  const line = text.slice(start, Math.min(end, start + MOST_PATH));
  const rooted = ROOTED.exec(line)?.[0] ?? "";
  const name = FILE.test(rooted) ? rooted : (NAME.exec(line)?.[0] ?? "");
  if (!PATH.test(name)) return start;
  const behind = start + name.length;
  if (behind === end) return end;
  return text.charAt(behind) === ":" ? behind + 1 : start;
}
