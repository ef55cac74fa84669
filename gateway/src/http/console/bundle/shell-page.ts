import { THEMES, type Theme, themeColourTags } from "../../pages/theme-colour.ts";
import type { Bundle } from "./bundle.ts";
import { FILES_PATH } from "./manifest.ts";

/** Set by the web app, so that no page is first shown in the other theme. */
export const THEME_COOKIE = "bursar.theme";

export function themeOf(cookie: string | undefined): Theme | null {
  return THEMES.find((theme) => theme === cookie) ?? null;
}

/**
 * The only HTML page of the console: the script creates everything else. It contains nothing of the request. `command`
 * is what the operator types to run a command.
 */
export function shellPage({ script, styles, files }: Bundle, theme: Theme | null, command: string): string {
  const sheets = styles.map((name) => `<link rel="stylesheet" href="${FILES_PATH}${name}">`).join("");
  // A browser would request a font only when it draws the first text, which the script has to arrive for.
  const fonts = [...files.keys()]
    .filter((name) => name.endsWith(".woff2"))
    .map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${FILES_PATH}${name}">`)
    .join("");
  return `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${themeColourTags(theme)}
<title>Bursar</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
${sheets}
${fonts}
<script type="module" src="${FILES_PATH}${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript><p class="noscript">The console is a web app and needs JavaScript. The operator's commands do not: <code>${Bun.escapeHTML(command)} --help</code>.</p></noscript>
</body>
</html>
`;
}
