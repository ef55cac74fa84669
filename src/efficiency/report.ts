import type { Compaction } from "./compaction.ts";

/** What a reply says about its prompt: tokens before and after, and the steps that made the difference. */
export type CompactionReport = {
  readonly originalEstimatedTokens: number;
  readonly compactedEstimatedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};

/** `frameTokens` is what the prompt has beside the texts of its messages; it stays. */
export function reportCompaction(
  { originalTokens, compactedTokens, tokensSaved, actions }: Compaction,
  frameTokens: number,
): CompactionReport {
  return {
    originalEstimatedTokens: originalTokens + frameTokens,
    compactedEstimatedTokens: compactedTokens + frameTokens,
    tokensSaved,
    actions,
  };
}

/** The truth about a prompt of so many estimated tokens that goes out as it came in. */
export function reportWithoutCompaction(estimatedTokens: number): CompactionReport {
  return {
    originalEstimatedTokens: estimatedTokens,
    compactedEstimatedTokens: estimatedTokens,
    tokensSaved: 0,
    actions: [],
  };
}
