import type { MusicRequest } from "../../contract/index.ts";

/** Vendors take one text: none has a field for the style, and not all have one for the duration. */
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
