/** What a reply says about its prompt: tokens before and after, and the steps that made the difference. */
export type CompactionReport = {
  readonly originalEstimatedTokens: number;
  readonly compactedEstimatedTokens: number;
  readonly tokensSaved: number;
  readonly actions: readonly string[];
};

/** The truth about a prompt of so many estimated tokens that goes out as it came in. */
export function reportWithoutCompaction(estimatedTokens: number): CompactionReport {
  return {
    originalEstimatedTokens: estimatedTokens,
    compactedEstimatedTokens: estimatedTokens,
    tokensSaved: 0,
    actions: [],
  };
}
