/**
 * Fewer tokens for the same meaning.
 * Owns the token count of a prompt, what can be written shorter, and how much that saved.
 * Refuses to know models, prices, the gateway and the clock: these are pure functions of the messages, of which it knows
 * no more than `message.ts` says. Only an earlier count may be remembered, by the caller that asks for it.
 *
 * Folders: `calls/` what a tool call tells about its result; `text/` pieces of a text and what replaces them; `fences/`
 * quoted code; `json/` JSON as it was written; `references/` what was shown before; `steps/` one way to shorten text
 * per file; `tokens/` the count; `../expand/` reads everything back.
 *
 * Invariants:
 * - The same messages give the same result on every node.
 * - The form of a message depends only on that message and those before it.
 * - No message grows. What must stay untouched stays the same object.
 * - Time is linear in the text, whatever the text contains. Long work can be done in steps, none of which takes longer
 *   than a message of 300,000 characters; a longer one stays as it is.
 * - `tokensSaved` is always counted, never assumed.
 */
export { compact, compactionSteps } from "./compact.ts";
export {
  ALGORITHM_VERSION,
  COMPACTION_LEVELS,
  type Compaction,
  type CompactionLevel,
  STEPS,
} from "./compaction.ts";
export { leastTokens, messageCharacters } from "./message-size.ts";
export { countedTokens, leastTextTokens, rareTokens } from "./tokens/counted-tokens.ts";
export { estimateTokens } from "./tokens/estimate.ts";
export {
  countAttachments,
  estimatePromptTokens,
  frameSteps,
  promptTokenSteps,
} from "./tokens/estimate-chat.ts";
export { createKnownCounts, type TokenCount } from "./tokens/known-counts.ts";
