import { jsonReply } from "../reply.ts";
import { BRAND, FACE_STYLE, ICON_LINK } from "./face.ts";
import { newNonce, pageHeaders } from "./page.ts";

type Link = { readonly path: string; readonly title: string; readonly text: string };

const CONSOLE: Link = {
  path: "/console",
  title: "Console",
  text: "Keys, members, credits and where they went.",
};

const LINKS: readonly Link[] = [
  { path: "/docs", title: "API reference", text: "Every operation, with examples to try." },
  { path: "/openapi.json", title: "OpenAPI document", text: "The same for tools and code generators." },
  { path: "/healthz", title: "Health", text: "Is the process alive? /readyz asks the database, too." },
];

/** For a browser a small page, for everybody else the same links as JSON. */
export function homePage(visit: {
  readonly request: Request;
  readonly requestId: string;
  readonly publicUrl: string;
  readonly hasConsole: boolean;
}): Response {
  const { requestId, publicUrl } = visit;
  const shown = visit.hasConsole ? [CONSOLE, ...LINKS] : LINKS;
  if (!visit.request.headers.get("accept")?.includes("text/html")) {
    const links = Object.fromEntries(shown.map(({ path, title }) => [title, `${publicUrl}${path}`]));
    const body = {
      name: "Bursar",
      base_url: `${publicUrl}/functions/v1`,
      compat_base_url: `${publicUrl}/v1`,
      links,
    };
    return jsonReply(requestId, body);
  }
  const nonce = newNonce();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;
  return new Response(html({ nonce, publicUrl, shown }), { headers: pageHeaders(requestId, policy) });
}

const STYLE = `${FACE_STYLE}
main { display: grid; gap: 24px; max-width: 560px; margin: 0 auto; padding: 12vh 16px 48px; }
h1 { margin: 0; font-size: 24px; line-height: 1.25; font-weight: 600; letter-spacing: -.015em; }
p { margin: 4px 0 0; color: var(--ink-2); }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
dl, ul { display: grid; margin: 0; padding: 0; list-style: none; }
dl > div, li > a { display: grid; gap: 2px; padding: 12px 16px; }
dl > div + div, li + li { border-top: 1px solid var(--line); }
dt, li span { color: var(--ink-3); font-size: 13px; }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .9em var(--mono); }
li > a { text-decoration: none; color: var(--ink); }
li > a:hover { background: var(--surface-2); }
li > a:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 10px; }
li strong { font-weight: 600; color: var(--accent); }`;

/** `publicUrl` is a checked setting, an origin without any character that HTML minds. */
function html(page: {
  readonly nonce: string;
  readonly publicUrl: string;
  readonly shown: readonly Link[];
}): string {
  const { nonce, publicUrl } = page;
  const links = page.shown.map(
    ({ path, title, text }) => `<li><a href="${path}"><strong>${title}</strong><span>${text}</span></a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${ICON_LINK}
<title>Bursar</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<span class="brand">${BRAND}</span>
<div>
<h1>One API key, one balance of credits</h1>
<p>Every model your organization may use, every call exact to the credit.</p>
</div>
<ul class="card">
${links.join("\n")}
</ul>
<dl class="card">
<div><dt>Main interface</dt><dd><code>${publicUrl}/functions/v1</code></dd></div>
<div><dt>Compatible interface</dt><dd><code>${publicUrl}/v1</code></dd></div>
</dl>
</main>
</body>
</html>
`;
}
