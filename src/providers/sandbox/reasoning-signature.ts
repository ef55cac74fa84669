import type { ReasoningPart } from "../contract.ts";

/**
 * Nobody's secret depends on it: it stands for the signatures of real providers, which want their reasoning
 * back with a tool's result, unchanged.
 */
export function signReasoning(text: string): string {
  return `sandbox/${Bun.hash.xxHash64(text).toString(16)}`;
}

export function isSignedReasoning({ text, signature }: ReasoningPart): boolean {
  return signature === signReasoning(text);
}
