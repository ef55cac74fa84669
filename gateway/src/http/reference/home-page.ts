import { prefersPage } from "../pages/prefers-page.ts";
import { jsonReply } from "../reply.ts";
import { GUIDES_LINK } from "./guides.ts";
import { CONSOLE_LINK, DOCS_LINK, linkList, type PageLink, smallPage } from "./small-page.ts";

const LINKS: readonly PageLink[] = [
  DOCS_LINK,
  GUIDES_LINK,
  { path: "/openapi.json", title: "OpenAPI document", text: "The same for tools and code generators." },
  { path: "/healthz", title: "Health", text: "Is the process alive? /readyz asks the database, too." },
];

/** A small page for clients that prefer HTML, the same links as JSON for everyone else. */
export function homePage(visit: {
  readonly request: Request;
  readonly requestId: string;
  readonly publicUrl: string;
  readonly hasConsole: boolean;
}): Response {
  const { requestId, publicUrl } = visit;
  const shown = visit.hasConsole ? [CONSOLE_LINK, ...LINKS] : LINKS;
  if (!prefersPage(visit.request)) {
    const links = Object.fromEntries(shown.map(({ path, title }) => [title, `${publicUrl}${path}`]));
    const body = {
      name: "Bursar",
      base_url: `${publicUrl}/functions/v1`,
      compat_base_url: `${publicUrl}/v1`,
      links,
    };
    return jsonReply(requestId, body);
  }
  return smallPage(requestId, { title: "Bursar", content: contentOf(publicUrl, shown) });
}

/** Not escaped: `publicUrl` is a validated origin without any character that is special in HTML. */
function contentOf(publicUrl: string, shown: readonly PageLink[]): string {
  return `<div>
<h1>One API key, one balance of credits</h1>
<p>Every model your organization may use, every call exact to the credit.</p>
</div>
${linkList(shown)}
<dl class="card">
<div><dt>Main interface</dt><dd><code>${publicUrl}/functions/v1</code></dd></div>
<div><dt>Compatible interface</dt><dd><code>${publicUrl}/v1</code></dd></div>
</dl>`;
}
