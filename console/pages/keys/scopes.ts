import type { Scope } from "../../../gateway/src/http/console/contract.ts";

/** What each scope allows, worded for whoever creates the key. */
export const SCOPES: readonly { readonly scope: Scope; readonly label: string; readonly about: string }[] = [
  { scope: "chat", label: "Chat", about: "text, tools and agents" },
  { scope: "images", label: "Images", about: "make images" },
  { scope: "video", label: "Video", about: "make videos" },
  { scope: "audio", label: "Audio", about: "speech and music" },
  { scope: "usage", label: "Usage", about: "read balance and spend" },
  { scope: "assets", label: "Library", about: "list, fetch and delete" },
];

export const ALL_SCOPES: readonly Scope[] = SCOPES.map(({ scope }) => scope);

export function scopeWords(scopes: readonly Scope[]): string {
  if (scopes.length === SCOPES.length) return "Everything";
  return SCOPES.filter(({ scope }) => scopes.includes(scope))
    .map(({ label }) => label)
    .join(", ");
}
