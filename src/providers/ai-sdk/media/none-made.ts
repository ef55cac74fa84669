import { ProviderFailure } from "../../contract.ts";
import { endingOf } from "../../finish-words.ts";
import { refusedByContent, rejected } from "./model-call.ts";

/**
 * The end of a call whose answer has nothing in it. `word` is how the server says it ended: one that did end was up, and
 * made nothing of this prompt; without a word, or by one for a failure, nobody knows what it would have made.
 */
export function noneMade(what: "picture" | "sound", word: string | null): ProviderFailure {
  const ending = word === null || word === "" ? "failed" : endingOf(word);
  if (ending === "content_filter") return refusedByContent();
  if (ending !== "failed") {
    return rejected(`The model answered without a ${what}: rephrase the prompt.`);
  }
  return new ProviderFailure("unavailable", `The model's provider made no ${what}.`, {
    internal: `an answer without a ${what}`,
    targetHealth: "up",
  });
}

type Answer = {
  readonly candidates?: readonly { readonly finishReason?: unknown }[];
  readonly promptFeedback?: { readonly blockReason?: unknown };
} | null;

/** How an answer of Gemini's wire says it ended; null where it does not. A prompt that is blocked has no candidate. */
export function geminiWord(answer: unknown): string | null {
  const { candidates, promptFeedback } = (answer as Answer | undefined) ?? {};
  const said = Array.isArray(candidates) ? candidates[0]?.finishReason : undefined;
  if (typeof said === "string") return said;
  return typeof promptFeedback?.blockReason === "string" ? "content_filter" : null;
}
