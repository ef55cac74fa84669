import { countedTokens } from "../../../../compaction/src/index.ts";
import { type ChatAnswer, MAX_ANSWER_CHARACTERS } from "./chat-answer.ts";

/** Our estimate and the provider's count differ: an answer within its limit must never be cut. */
const TOLERANCE = 1.5;
const SLACK_TOKENS = 64;
/**
 * Between two counts the text grows by at least this share, so that all counts together cost at most nine passes over
 * it.
 */
const LEAST_GROWTH = 1 / 8;

/**
 * Detects a provider that writes past its limit, beyond what the hold pays for. Counts again only once the remaining
 * tokens may have arrived. A character that we count as several tokens may be one for the provider, so the count is
 * capped at the number of characters.
 */
export function createOverspendGuard(maxOutputTokens: number): (answer: ChatAnswer) => boolean {
  const allowedTokens = maxOutputTokens * TOLERANCE + SLACK_TOKENS;
  let nextLook = allowedTokens;
  return (answer) => {
    const { characters } = answer;
    if (characters > MAX_ANSWER_CHARACTERS) return true;
    if (characters <= nextLook) return false;
    const tokens = Math.min(countedTokens(answer.written), characters);
    nextLook = characters + Math.max(allowedTokens - tokens, characters * LEAST_GROWTH);
    return tokens > allowedTokens;
  };
}
