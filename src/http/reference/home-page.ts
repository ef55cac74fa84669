import { jsonReply } from "../reply.ts";
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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem; }
h1 { font-size: 2rem; margin: 0; letter-spacing: -.02em; }
p.lead { margin: .25rem 0 2rem; opacity: .75; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.5rem; margin: 0 0 2rem; }
dt { font-weight: 600; } dd { margin: 0; }
code { font: .9em ui-monospace, monospace; }
a { color: inherit; }`;

/** `publicUrl` is a checked setting, an origin without any character that HTML minds. */
function html(page: {
  readonly nonce: string;
  readonly publicUrl: string;
  readonly shown: readonly Link[];
}): string {
  const { nonce, publicUrl } = page;
  const links = page.shown.map(
    ({ path, title, text }) => `<dt><a href="${path}">${title}</a></dt><dd>${text}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Bursar</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<h1>Bursar</h1>
<p class="lead">One API key, one purse of credits, every call exact to the credit.</p>
<dl>
<dt>Main interface</dt><dd><code>${publicUrl}/functions/v1</code></dd>
<dt>Compatible interface</dt><dd><code>${publicUrl}/v1</code></dd>
${links.join("\n")}
</dl>
</body>
</html>
`;
}
