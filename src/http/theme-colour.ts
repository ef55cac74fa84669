export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** What a browser paints its own bars with, as our bar is painted that stands below them: a test holds it to the palette. */
const COLOURS: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#161d1a" };

/** By the system, or as somebody chose: then one of them holds, whatever the system says. */
export function themeColourTags(chosen: Theme | null): string {
  return THEMES.map((theme) => {
    const media = chosen === null ? `(prefers-color-scheme: ${theme})` : chosen === theme ? "all" : "not all";
    return `<meta name="theme-color" content="${COLOURS[theme]}" media="${media}" data-theme="${theme}">`;
  }).join("\n");
}
