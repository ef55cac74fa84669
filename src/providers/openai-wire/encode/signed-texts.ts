import { withoutPlace } from "../responses/thought-seal.ts";
import { parseDetail, THOUGHT_NAMES } from "./encode-reasoning.ts";

/**
 * A seal as it stands in a body that goes to whoever signed: without the name in front, and of the proof of a thought
 * the texts that prove it.
 */
export function signedTexts(seal: string): readonly string[] {
  const signature = seal.slice(seal.indexOf("/") + 1);
  // The name of a field, which says whose a thought is and proves nothing.
  if (THOUGHT_NAMES.some((name) => name === signature)) return [];
  const detail = signature.startsWith("{") ? parseDetail(signature) : null;
  if (detail === null) return [withoutPlace(signature)];
  return [detail["signature"], detail["data"]].filter((text) => typeof text === "string");
}
