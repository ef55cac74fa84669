import type { MusicRequest } from "./media-contract.ts";

/** Vendors take one text; a style has no field of its own anywhere, and a length not everywhere. */
export function musicPrompt(
  { prompt, style, durationMs }: MusicRequest,
  { saysLength = false }: { readonly saysLength?: boolean } = {},
): string {
  return [
    prompt,
    style === null ? "" : `Style: ${style}.`,
    saysLength ? `Length: ${Math.round(durationMs / 1_000)} seconds.` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}
