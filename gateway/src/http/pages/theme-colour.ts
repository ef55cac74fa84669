export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The colour of the browser's own bars, the same as our top bar below them; a test compares it with the palette. */
const COLOURS: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#161d1a" };

/** Follows the system's theme, or only the chosen one, whatever the system says. */
export function themeColourTags(chosen: Theme | null): string {
  return THEMES.map((theme) => {
    const media = chosen === null ? `(prefers-color-scheme: ${theme})` : chosen === theme ? "all" : "not all";
    return `<meta name="theme-color" content="${COLOURS[theme]}" media="${media}" data-theme="${theme}">`;
  }).join("\n");
}
