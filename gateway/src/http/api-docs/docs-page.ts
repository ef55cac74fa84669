import { themeColourTags } from "../pages/theme-colour.ts";
import { BRAND, FACE_STYLE, ICON_LINK } from "./face.ts";
import { newNonce, pageHeaders } from "./page.ts";

/** The interactive reference. The page has no text of its own: the viewer shows the OpenAPI document. */
export function docsPage(
  requestId: string,
  page: { readonly scriptPath: string; readonly hasConsole: boolean },
): Response {
  const nonce = newNonce();
  return new Response(html({ ...page, nonce }), { headers: pageHeaders(requestId, policy(nonce)) });
}

/** Content security policy: nothing from other hosts, and only scripts and style sheets with our nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // The viewer positions its panels with style attributes, which cannot carry a nonce.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * The viewer adds style sheets while it runs, some without the page's nonce. Only scripts with the nonce can run at
 * all, so the sheets that they create may have it, too.
 */
const NONCE_SCRIPT = `
const nonce = document.currentScript.nonce;
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (String(name).toLowerCase() === "style") element.nonce = nonce;
  return element;
};`;

/** Try-out calls go to the origin from which the page was opened, so no other origin is ever called. */
const VIEWER_SCRIPT = `
Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  servers: [{ url: location.origin }],
  proxyUrl: "",
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  hideClientButton: true,
  hideModels: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});`;

/** Maps the viewer's colours to ours. The viewer toggles light and dark by a class on the body; our bar follows. */
const STYLE = `${FACE_STYLE}
.light-mode { color-scheme: light; }
.dark-mode { color-scheme: dark; }
.light-mode, .dark-mode {
  --scalar-custom-header-height: 48px;
  --scalar-font: var(--font);
  --scalar-font-code: var(--mono);
  --scalar-background-1: var(--surface);
  --scalar-background-2: var(--surface-2);
  --scalar-background-3: var(--sunk);
  --scalar-background-accent: var(--accent-soft);
  --scalar-border-color: var(--line);
  --scalar-color-1: var(--ink);
  --scalar-color-2: var(--ink-2);
  --scalar-color-3: var(--ink-3);
  --scalar-color-accent: var(--accent);
  --scalar-color-green: var(--accent);
  --scalar-color-blue: var(--info);
  --scalar-color-red: var(--danger);
  --scalar-color-orange: var(--warn);
  --scalar-color-yellow: var(--warn);
  --scalar-color-purple: var(--info);
  --scalar-link-color: var(--accent);
  --scalar-link-color-hover: var(--accent-hover);
  --scalar-button-1: var(--accent);
  --scalar-button-1-hover: var(--accent-hover);
  --scalar-button-1-color: var(--on-accent);
  --scalar-sidebar-background-1: var(--surface);
  --scalar-sidebar-color-1: var(--ink);
  --scalar-sidebar-color-2: var(--ink-2);
  --scalar-sidebar-color-active: var(--accent-ink);
  --scalar-sidebar-item-active-background: var(--accent-soft);
  --scalar-sidebar-item-hover-background: var(--surface-2);
  --scalar-sidebar-item-hover-color: var(--ink);
  --scalar-sidebar-border-color: var(--line);
  --scalar-sidebar-search-background: var(--surface);
  --scalar-sidebar-search-border-color: var(--line-strong);
  --scalar-sidebar-search-color: var(--ink-3);
}
.top { position: sticky; top: 0; z-index: 20; display: flex; align-items: center; justify-content: space-between; box-sizing: border-box; height: 48px; padding: 0 16px; background: var(--surface); border-bottom: 1px solid var(--line); font-size: 14px; }
/* Following a link to a section focuses that section; it needs no focus ring. */
#reference :is(section, [tabindex="-1"]):focus-visible { outline: none; }
.top span a + a { margin-left: 16px; }
.top a:not(.brand) { color: var(--accent); text-underline-offset: 3px; }
.top a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }`;

function html({
  nonce,
  scriptPath,
  hasConsole,
}: {
  nonce: string;
  scriptPath: string;
  hasConsole: boolean;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${themeColourTags(null)}
<meta property="csp-nonce" content="${nonce}">
${ICON_LINK}
<title>Bursar API reference</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<header class="top"><a class="brand" href="/">${BRAND}</a><span><a href="/docs/guides">Guides</a>${hasConsole ? ' <a href="/console">Console</a>' : ""}</span></header>
<div id="reference"></div>
<script nonce="${nonce}">${NONCE_SCRIPT}</script>
<script nonce="${nonce}" src="${scriptPath}"></script>
<script nonce="${nonce}">${VIEWER_SCRIPT}</script>
</body>
</html>
`;
}
