/**
 * Owns fewer tokens for the same meaning: how many tokens a prompt has, what can be said shorter, and what that
 * saved.
 * Refuses to know models, prices, the database and the clock: pure functions of the messages alone; of the
 * providers it knows the types of messages. Only a count that was made before may be remembered, by who asks for it.
 * Folders: `calls/` what a tool call says of its result, `text/` pieces of a text and what replaces them, `fences/` quoted
 * code, `json/` JSON as it was written, `references/` what was shown before, `steps/` one way of saying something
 * shorter each, `tokens/` the count, `testing/` reads it all back.
 * Invariants: the same messages give the same result on every node; a message's form depends on it and on those
 * before it; none grows; what must stay untouched is the same object; time is linear in the text, whatever it
 * holds; `tokensSaved` is never claimed, only counted.
 */
export { compact } from "./compact.ts";
export { COMPACTION_LEVELS, type Compaction, type CompactionLevel } from "./compaction.ts";
export { leastTokens, messageCharacters } from "./message-size.ts";
export { countedTokens, leastTextTokens, rareTokens } from "./tokens/counted-tokens.ts";
export { estimateTokens } from "./tokens/estimate.ts";
export { countAttachments, estimateFrame, estimatePromptTokens } from "./tokens/estimate-chat.ts";
export { createKnownCounts, type TokenCount } from "./tokens/known-counts.ts";
