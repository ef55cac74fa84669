import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nothingAtPath } from "../../kit/index.ts";
import type { HttpSettings } from "../context.ts";
import { acceptsEncoding } from "../pages/accepts-encoding.ts";
import { prefersPage } from "../pages/prefers-page.ts";
import type { SiteRoute } from "../pages/site-route.ts";
import { API_VERSION, jsonReply, textReply } from "../reply.ts";
import { pathOf, queryOf } from "../request-target.ts";
import type { ApiRoute } from "../route.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./document.ts";
import { GUIDES_LINK, guideRoutes } from "./guides.ts";
import { pageHeaders } from "./page.ts";
import { CONSOLE_LINK, DOCS_LINK, linkList, type PageLink, smallPage } from "./small-page.ts";
import { createViewerFile } from "./viewer-file.ts";

const LINKS: readonly PageLink[] = [
  DOCS_LINK,
  GUIDES_LINK,
  { path: "/openapi.json", title: "OpenAPI document", text: "The same for tools and code generators." },
  { path: "/healthz", title: "Health", text: "Is the process alive? /readyz asks the database, too." },
];

/** A small page for clients that prefer HTML, the same links as JSON for everyone else. */
function homePage(visit: {
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

/** Built and compressed when first asked for: a gateway whose reference nobody reads never pays for it. */
function documentReplies(build: () => unknown) {
  let kept: { readonly plain: string; readonly gzipped: Uint8Array<ArrayBuffer> } | null = null;
  return (requestId: string, isGzipped: boolean): Response => {
    if (kept === null) {
      const plain = JSON.stringify(build());
      kept = { plain, gzipped: Bun.gzipSync(plain) };
    }
    const response = textReply(requestId, isGzipped ? kept.gzipped : kept.plain);
    response.headers.set("vary", "accept-encoding");
    if (isGzipped) response.headers.set("content-encoding", "gzip");
    return response;
  };
}

const ONE_YEAR_SECONDS = 31_536_000;
const ONE_DAY_SECONDS = 86_400;
/** The same logo as `icon.svg`, for clients that cannot show SVG. */
const FAVICON = new Uint8Array(readFileSync(join(import.meta.dir, "favicon.ico")));

export function referenceRoutes(input: {
  readonly settings: HttpSettings;
  readonly routes: readonly ApiRoute[];
  readonly hasConsole: boolean;
}): readonly SiteRoute[] {
  const { routes, hasConsole } = input;
  const { publicUrl } = input.settings;
  const viewer = createViewerFile();
  const documentReply = documentReplies(() => openApiDocument(routes, input.settings));
  return [
    ...guideRoutes(publicUrl),
    {
      path: "/",
      respond: ({ request, requestId }) => homePage({ request, requestId, publicUrl, hasConsole }),
    },
    {
      // Requested by browsers that show a bare file without a page, and by tools that list links.
      path: "/favicon.ico",
      respond: ({ requestId }) =>
        new Response(FAVICON, {
          headers: {
            "x-request-id": requestId,
            "x-api-version": API_VERSION,
            "x-content-type-options": "nosniff",
            "content-type": "image/x-icon",
            "cache-control": `public, max-age=${ONE_DAY_SECONDS}`,
          },
        }),
    },
    {
      path: "/openapi.json",
      respond: ({ request, requestId }) =>
        documentReply(requestId, acceptsEncoding(request.headers.get("accept-encoding"), "gzip")),
    },
    {
      path: "/docs",
      async respond({ requestId }) {
        const { name } = await viewer();
        return docsPage(requestId, { scriptPath: `/docs/viewer/${name}`, hasConsole });
      },
    },
    {
      // A trailing slash is often typed, or added by tools. The console handles its own paths.
      path: "/docs/",
      respond({ request, requestId }) {
        const query = queryOf(request);
        const location = query === "" ? "/docs" : `/docs?${query}`;
        const headers = { ...pageHeaders(requestId, "default-src 'none'"), location };
        return new Response(null, { status: 308, headers });
      },
    },
    {
      path: "/docs/viewer/:name",
      async respond({ request, requestId }) {
        const file = await viewer();
        if (!pathOf(request).endsWith(`/${file.name}`)) {
          throw nothingAtPath();
        }
        const headers = {
          "x-request-id": requestId,
          "x-api-version": API_VERSION,
          "x-content-type-options": "nosniff",
          "content-type": "text/javascript; charset=utf-8",
          // The name contains the content's hash, so a cached copy is never stale.
          "cache-control": `public, max-age=${ONE_YEAR_SECONDS}, immutable`,
          vary: "accept-encoding",
        };
        if (!acceptsEncoding(request.headers.get("accept-encoding"), "gzip"))
          return new Response(await file.plain(), { headers });
        return new Response(file.gzipped, { headers: { ...headers, "content-encoding": "gzip" } });
      },
    },
  ];
}
