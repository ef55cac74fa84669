import { estimateTokens } from "./estimate.ts";
import type { TokenCount } from "./known-counts.ts";
import { isFullOfRare, leastParts, mostParts, tokensHeldFor, tokensOfRare } from "./rare-letters.ts";

/**
 * The estimate, but never less than the text's rare letters come to: for what is charged by our own count. Compaction
 * goes by the estimate alone.
 */
export function countedTokens(text: string, count: TokenCount = estimateTokens): number {
  const { length } = text;
  const tokens = count(text);
  if (tokensOfRare(mostParts(length, Buffer.byteLength(text)), length) <= tokens) return tokens;
  return Math.max(tokens, rareTokens(text));
}

export function rareTokens(text: string): number {
  return tokensOfRare(leastParts(text), text.length);
}

/** What is held for at the least, of a text that no estimate is made of, with the fifth that every hold has beyond it. */
export function leastTextTokens(text: string): number {
  return tokensHeldFor(leastParts(text));
}

/** The same of a text that is full of letters which hardly anybody writes; 0 of every other. */
export function leastRareTokens(text: string): number {
  const isAscii = Buffer.byteLength(text) === text.length;
  return !isAscii && isFullOfRare(text) ? leastTextTokens(text) : 0;
}
