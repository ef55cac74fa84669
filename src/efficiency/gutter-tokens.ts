import { estimateTokens } from "./estimate.ts";

/** How a line may begin behind its number; what the number costs depends a little on that. */
const BODIES = ["word", "    word", "\tword", "", "12 x", "{ x"] as const;
/** Counts are whole numbers: the mean of so many lines is close enough. */
const LINES = 16;
const MOST_SPACES = 15;

/** Remembered for each kind of gutter and each body: a function of its arguments alone. A few hundred kinds. */
const remembered = new Map<number, Float64Array<ArrayBuffer>>();
/** Lines in a row mostly have gutters of one kind. */
let lastKey = -1;
let lastTokens = new Float64Array(BODIES.length);

/**
 * How many tokens fewer a line has without the first `size` characters of its gutter: padding, or padding, number
 * and sign. Estimated once for lines that look like it, because a file has thousands of them.
 */
export function gutterTokens(text: string, start: number, size: number): number {
  let digits = start;
  while (text.charCodeAt(digits) === 32) digits++;
  const end = start + size;
  const hasNumber = end > digits;
  const sign = hasNumber ? text.charCodeAt(end - 1) : 0;
  const key = (sign * 16 + Math.min(MOST_SPACES, digits - start)) * 8 + (hasNumber ? end - digits - 1 : 0);
  if (key !== lastKey) {
    lastTokens = remembered.get(key) ?? estimateGutter(key);
    lastKey = key;
  }
  return lastTokens[bodyOf(text.charCodeAt(end))] as number;
}

/** For every body. */
function estimateGutter(key: number): Float64Array<ArrayBuffer> {
  const sign = Math.floor(key / 128);
  const gutter =
    " ".repeat((key >> 3) & 15) + "1".repeat(key & 7) + (sign === 0 ? "" : String.fromCharCode(sign));
  const tokens = Float64Array.from(BODIES, (body) => difference(gutter, body));
  remembered.set(key, tokens);
  return tokens;
}

function difference(gutter: string, body: string): number {
  const longer = estimateTokens(`a\n${gutter}${body}`.repeat(LINES));
  const shorter = estimateTokens(`a\n${body}`.repeat(LINES));
  return (longer - shorter) / LINES;
}

function bodyOf(code: number): number {
  if ((code | 32) >= 97 && (code | 32) <= 122) return 0;
  if (code === 32) return 1;
  if (code === 9) return 2;
  if (code === 10 || Number.isNaN(code)) return 3;
  return code >= 48 && code <= 57 ? 4 : 5;
}
