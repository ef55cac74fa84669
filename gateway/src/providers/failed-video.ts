import { isContentRefusal, type VideoFailureReason, type VideoState } from "../contract/index.ts";
import { sanitise } from "../outbound/index.ts";

/** The final state of a video that a provider gave up. `text` is the provider's own message, not yet sanitised. */
export function failedVideo(
  text: string,
  secrets: readonly string[],
  reason: VideoFailureReason = "provider_error",
): VideoState {
  return {
    state: "failed",
    reason: isContentRefusal(text) ? "content_filter" : reason,
    message: sanitise(text, secrets) || "The model's provider could not make this video.",
  };
}
