/** Both base64 alphabets, and white space, which decoders skip. */
const LETTERS = /^[A-Za-z0-9+/=_\s-]*$/;
/** A leading slash may also begin a path, but every JPEG begins like this in base64. */
const JPEG = /^\/9j\//;
/**
 * How MP3 and AAC frames and little-endian UTF-16 begin in base64. Only the alphabet without `-` and `_` has a slash.
 */
const FRAME = /^\/[+/][A-Za-z0-9+/=\s]{62,}$/;
/** Two slashes and a plain word: rather a host or a folder. */
const FOLDER = /^\/\/(?:[A-Z]?[a-z]+|[A-Z]+)\//;
/** Number of characters that is enough to recognize a path. */
const LOOKED_AT = 64;
/**
 * In that many characters, base64 has about 26 capitals and one slash; no path has so many capitals and few slashes.
 */
const MIN_CAPITALS = 12;
const MAX_SLASHES = 8;

/** Whether a value may be base64 without a `data:` prefix. `start` is its beginning; the rest is not checked. */
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
