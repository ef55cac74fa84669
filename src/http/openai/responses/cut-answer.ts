import type { FinishReason } from "../../../providers/index.ts";

/** The answer would have gone on. */
export function isCutBy(reason: FinishReason): boolean {
  return reason === "length" || reason === "content_filter";
}
