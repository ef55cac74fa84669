import type { ChatFinishReason } from "../../../generation/index.ts";

/** The answer would have gone on. */
export function isCutBy(reason: ChatFinishReason): boolean {
  return reason === "length" || reason === "content_filter";
}
