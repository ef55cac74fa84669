/**
 * How many tokens a prompt has, and what was saved on it.
 * Refuses to know models, providers, prices and the clock: pure functions of the text alone.
 * Invariants: the same text gives the same number on every node; time is linear in the text, whatever
 * it holds; a longer text never counts less than its beginning; `tokensSaved` is never claimed, only counted.
 */
export { estimateTokens } from "./estimate.ts";
export { type EstimableMessage, estimateChatTokens } from "./estimate-chat.ts";
export { type CompactionReport, reportWithoutCompaction } from "./report.ts";
