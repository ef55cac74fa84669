import type { FinishReason } from "../../../contract/index.ts";

/** True if the answer was cut off. */
export function isCutBy(reason: FinishReason): boolean {
  return reason === "length" || reason === "content_filter";
}
