import { parseForeignJson } from "../../kit/index.ts";

/** The plain names of the reasoning field, the more usual one first. */
export const REASONING_NAMES = ["reasoning_content", "reasoning"] as const;
export type ReasoningName = (typeof REASONING_NAMES)[number];

/** Precedes the position of a piece of reasoning, which most do not need. No encrypted text begins like this. */
export const PLACE_MARK = "@";
export const PLACED = /^@([^;:]*);([^;:]*):/;

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

export function parseDetail(sealed: string): Record<string, unknown> | null {
  try {
    const detail = parseForeignJson(sealed);
    return typeof detail === "object" && detail !== null ? { ...detail } : null;
  } catch {
    return null;
  }
}

/** The encrypted text alone. */
function withoutPlace(text: string): string {
  return text.startsWith(PLACE_MARK) ? text.replace(PLACED, "") : text;
}
