import type { VideoState } from "./media-contract.ts";
import { sanitise } from "./outbound/index.ts";

/** What providers write when the content itself is the reason; few of them have a code for it. */
const CONTENT_WORDS =
  /content[ _-]?(?:policy|filter|moderation|checker)|safety|moderat|nsfw|sensitive|prohibited|responsible ai|\brai\b|harmful|violat/i;

export function isContentRefusal(text: string): boolean {
  return CONTENT_WORDS.test(text.slice(0, 4_000));
}

/** The end of a video that a provider gave up; `text` is its own, unwashed. */
export function failedVideo(text: string, secrets: readonly string[], isRejected = false): VideoState {
  const plain = isRejected ? "rejected" : "provider_error";
  return {
    state: "failed",
    reason: isContentRefusal(text) ? "content_filter" : plain,
    message: sanitise(text, secrets) || "The model's provider could not make this video.",
  };
}
