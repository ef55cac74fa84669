import { newNonce, pageHeaders } from "./page.ts";

/** The interactive reference. The page holds no words of its own: the document has them. */
export function docsPage(requestId: string, scriptPath: string): Response {
  const nonce = newNonce();
  return new Response(html(nonce, scriptPath), { headers: pageHeaders(requestId, policy(nonce)) });
}

/** Nothing from anywhere else, and no script or style sheet of anybody else's. */
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
 * The viewer adds style sheets while it runs, some of them without the nonce of the page. Only scripts
 * with the nonce can run at all, so a sheet that they create may have it, too.
 */
const NONCE_SCRIPT = `
const nonce = document.currentScript.nonce;
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (String(name).toLowerCase() === "style") element.nonce = nonce;
  return element;
};`;

/** Try-out calls go to wherever the page was opened, so that no other origin is ever asked. */
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

function html(nonce: string, scriptPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<link rel="icon" href="data:,">
<title>Bursar API reference</title>
</head>
<body>
<div id="reference"></div>
<script nonce="${nonce}">${NONCE_SCRIPT}</script>
<script nonce="${nonce}" src="${scriptPath}"></script>
<script nonce="${nonce}">${VIEWER_SCRIPT}</script>
</body>
</html>
`;
}
