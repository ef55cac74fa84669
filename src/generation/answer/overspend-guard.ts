import { countedTokens } from "../../efficiency/index.ts";
import { type ChatAnswer, MAX_ANSWER_CHARACTERS } from "./chat-answer.ts";

/** Our estimate and the provider's count differ: an answer within its limit must never be cut. */
const TOLERANCE = 1.5;
const SLACK_TOKENS = 64;
/** Between two looks a text grows by so much of itself at least: all looks together are nine passes over it at most. */
const LEAST_GROWTH = 1 / 8;

/**
 * Says when a provider writes on past the limit it was given, beyond what the hold pays for. Looks again when the tokens
 * that are left may have come. Letters that are several tokens to us may be one each to the provider: no answer has more
 * tokens here than characters.
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
