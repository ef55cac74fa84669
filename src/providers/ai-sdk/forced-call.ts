import type { ChatRequest } from "../contract.ts";

/** Of the Claudes that are told an effort, those that refuse to think before a call that they are forced to make. */
const EARLY_ADAPTIVE = /claude-[a-z]+-4-[67]\b/;

export function isForced({ toolChoice }: ChatRequest): boolean {
  return toolChoice === "required" || typeof toolChoice === "object";
}

/** The provider takes no disabled thinking from some of these either, so that nothing is said of it. */
export function cannotThinkWhenForced(model: string): boolean {
  return EARLY_ADAPTIVE.test(model);
}
