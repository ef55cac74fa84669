import { countedTokens } from "../../efficiency/index.ts";
import { type ChatAnswer, MAX_ANSWER_CHARACTERS } from "./chat-answer.ts";

/** Our estimate and the provider's count differ: an answer within its limit must never be cut. */
const TOLERANCE = 1.5;
const SLACK_TOKENS = 64;

/**
 * Says when a provider writes on past the limit it was given, beyond what the hold pays for. Estimates
 * at growing intervals, so that the whole costs no more than two passes over the text.
 */
export function createOverspendGuard(maxOutputTokens: number): (answer: ChatAnswer) => boolean {
  const allowedTokens = maxOutputTokens * TOLERANCE + SLACK_TOKENS;
  // A token has at least one character, so fewer characters cannot be too many tokens.
  let nextLook = allowedTokens;
  return (answer) => {
    if (answer.characters > MAX_ANSWER_CHARACTERS) return true;
    if (answer.characters <= nextLook) return false;
    nextLook = answer.characters * 2;
    return countedTokens(answer.written) > allowedTokens;
  };
}
