import type { ReasoningPart } from "../../gateway/src/contract/index.ts";

/**
 * No secret depends on it: it imitates the signatures of real providers, which require their reasoning back unchanged
 * with a tool result.
 */
export function signReasoning(text: string): string {
  return `sandbox/${Bun.hash.xxHash64(text).toString(16)}`;
}

export function isSignedReasoning({ text, signature }: ReasoningPart): boolean {
  return signature === signReasoning(text);
}
