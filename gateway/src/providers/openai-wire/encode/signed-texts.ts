import { withoutPlace } from "../responses/reasoning-seal.ts";
import { parseDetail, REASONING_NAMES } from "./encode-reasoning.ts";

/**
 * The texts of a seal as they appear in a body for the provider that signed it: without the name in front, and of a
 * reasoning detail only the texts that prove it.
 */
export function signedTexts(seal: string): readonly string[] {
  const signature = seal.slice(seal.indexOf("/") + 1);
  // The name of a field, which shows whose reasoning it is and proves nothing.
  if (REASONING_NAMES.some((name) => name === signature)) return [];
  const detail = signature.startsWith("{") ? parseDetail(signature) : null;
  if (detail === null) return [withoutPlace(signature)];
  return [detail["signature"], detail["data"]].filter((text) => typeof text === "string");
}
