/** Blanks, tabs and line breaks are left out by those who decode it. */
const LETTERS = /^[A-Za-z0-9+/=_\s-]*$/;
/** A slash begins a path too; but of a JPEG this is always the beginning. */
const JPEG = /^\/9j\//;
/** The bits that begin each frame of an MP3 or an AAC, and UTF-16. Only the alphabet without `-` and `_` has a slash. */
const FRAME = /^\/[+/][A-Za-z0-9+/=\s]{62,}$/;
/** A folder, or a host: a word alone. */
const FOLDER = /^\/\/(?:[A-Z]?[a-z]+|[A-Z]+)\//;
/** Enough to tell a path by. */
const LOOKED_AT = 64;
/** Of so many letters base64 has about 26 capitals and one slash; no path has so many of the one and few of the other. */
const MIN_CAPITALS = 12;
const MAX_SLASHES = 8;

/** Whether it can be the bytes themselves, without any word of what they are; `start` is all of it that is looked at. */
export function isBareBase64(start: string): boolean {
  if (!LETTERS.test(start)) return false;
  return !start.startsWith("/") || JPEG.test(start) || isFrame(start);
}

function isFrame(start: string): boolean {
  if (!FRAME.test(start) || FOLDER.test(start)) return false;
  const first = start.slice(0, LOOKED_AT);
  return countOf(first, /[A-Z]/g) >= MIN_CAPITALS && countOf(first, /\//g) <= MAX_SLASHES;
}

function countOf(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}
