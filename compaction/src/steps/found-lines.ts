import { endOfPath } from "./own-lines.ts";

/** Longer paths do not occur. */
const MOST_PATH = 512;
/** The characters of a path; after a colon comes the match. */
const NAME = /^(?!\/\/)(?:[a-zA-Z]:(?=[\\/]))?[^\s"'`;,=<>{}:|*]+/;
const PATH = /[\\/]|\.\w{1,12}$/;
/** A path from the root, a drive or the current directory may contain blanks, but no command option. */
const ROOTED = /^(?:\.{0,2}\/(?![/*])|[a-zA-Z]:[\\/])(?:[^\s"'`;,=<>{}:|*]| (?=[^\s-])|(?<=\w)=(?=\w))+/;
/** A file name, perhaps followed by its size. */
const FILE = /\.\w{1,12}(?: \(\d[\d.]* ?\w{1,9}\))?$/;

/**
 * The end of the part of a search result that states where the match is: a path with a line number, a path before a
 * colon, or the whole line if it is a path; `start` if the line is only file content. Bound: a limited part of the
 * line is read.
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
