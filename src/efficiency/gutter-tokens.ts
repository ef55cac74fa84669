import { estimateTokens } from "./estimate.ts";

/** How a line may begin behind its number; what the number costs depends a little on that. */
const BODIES = ["word", "    word", "\tword", "", "12 x", "{ x"] as const;
/** Counts are whole numbers: the mean of so many lines is close enough. */
const LINES = 16;
const MOST_SPACES = 15;

/** Remembered for each kind of gutter: a function of its arguments alone. There are a few hundred kinds. */
const remembered = new Map<number, number>();

/**
 * How many tokens fewer a line has without the first `size` characters of its gutter: padding, or padding, number
 * and sign. Estimated once for lines that look like it, because a file has thousands of them.
 */
export function gutterTokens(text: string, start: number, size: number): number {
  let digits = start;
  while (text.charCodeAt(digits) === 32) digits++;
  const spaces = Math.min(MOST_SPACES, digits - start);
  const end = start + size;
  const sign = end > digits ? text.charCodeAt(end - 1) : 0;
  const body = bodyOf(text.charCodeAt(end));
  const numbers = end > digits ? end - digits - 1 : 0;
  const key = (((sign * 16 + spaces) * 8 + numbers) << 3) | body;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const gutter = " ".repeat(spaces) + "1".repeat(numbers) + (sign === 0 ? "" : String.fromCharCode(sign));
  const tokens = difference(gutter, BODIES[body] ?? "");
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
