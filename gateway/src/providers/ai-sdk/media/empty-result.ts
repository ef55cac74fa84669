import { ProviderFailure } from "../../../contract/index.ts";
import { endingOf } from "../../finish-reasons.ts";
import { refusedByContent, rejected } from "./model-call.ts";

/**
 * The failure for an empty answer. `word` is the server's finish reason: if it ended normally, the server was up and
 * made nothing of this prompt; without a reason, or with a failure, nobody knows what it would have made.
 */
export function emptyResult(what: "picture" | "sound", word: string | null): ProviderFailure {
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

/** The finish reason of a response of Gemini's wire; null if it has none. A blocked prompt has no candidate. */
export function geminiWord(answer: unknown): string | null {
  const { candidates, promptFeedback } = (answer as Answer | undefined) ?? {};
  const said = Array.isArray(candidates) ? candidates[0]?.finishReason : undefined;
  if (typeof said === "string") return said;
  return typeof promptFeedback?.blockReason === "string" ? "content_filter" : null;
}
