import { themeColourTags } from "../pages/theme-colour.ts";
import { BRAND, FACE_STYLE, ICON_LINK } from "./face.ts";
import { newNonce, pageHeaders } from "./page.ts";

export type PageLink = { readonly path: string; readonly title: string; readonly text: string };

export const CONSOLE_LINK: PageLink = {
  path: "/console",
  title: "Console",
  text: "Keys, members, credits and where they went.",
};

export const DOCS_LINK: PageLink = {
  path: "/docs",
  title: "API reference",
  text: "Every operation, with examples to try.",
};

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

/** A page of text and links that fetches nothing and runs no scripts. */
export function smallPage(
  requestId: string,
  page: {
    readonly title: string;
    readonly content: string;
    readonly style?: string;
    readonly status?: number;
  },
): Response {
  const nonce = newNonce();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${themeColourTags(null)}
${ICON_LINK}
<title>${page.title}</title>
<style nonce="${nonce}">${STYLE}${page.style ?? ""}</style>
</head>
<body>
<main>
<span class="brand">${BRAND}</span>
${page.content}
</main>
</body>
</html>
`;
  return new Response(html, { status: page.status ?? 200, headers: pageHeaders(requestId, policy) });
}

export function linkList(links: readonly PageLink[]): string {
  const entries = links.map(
    ({ path, title, text }) => `<li><a href="${path}"><strong>${title}</strong><span>${text}</span></a></li>`,
  );
  return `<ul class="card">
${entries.join("\n")}
</ul>`;
}
