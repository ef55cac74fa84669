import { estimateTokens } from "./estimate.ts";
import type { TokenCount } from "./known-counts.ts";
import { isFullOfRare, leastParts, mostParts, tokensHeldFor, tokensOfRare } from "./rare-letters.ts";

/**
 * The estimate, but at least what the text's rare characters cost: for charges by our own count. Compaction uses the
 * estimate alone.
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

/** The least to hold for a text without an estimate; every hold adds a fifth to it. */
export function leastTextTokens(text: string): number {
  return tokensHeldFor(leastParts(text));
}

/** The same for a text full of characters that hardly anybody writes; 0 for any other. */
export function leastRareTokens(text: string): number {
  const isAscii = Buffer.byteLength(text) === text.length;
  return !isAscii && isFullOfRare(text) ? leastTextTokens(text) : 0;
}
