import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nothingAtPath } from "../../kit/index.ts";
import type { HttpDeps, HttpSettings } from "../context.ts";
import { acceptsEncoding } from "../pages/accepts-encoding.ts";
import type { SiteRoute } from "../pages/site-route.ts";
import { API_VERSION } from "../reply.ts";
import { pathOf, queryOf } from "../request-target.ts";
import type { ApiRoute } from "../route.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./document.ts";
import { documentReplies } from "./document-reply.ts";
import { guideRoutes } from "./guides.ts";
import { homePage } from "./home-page.ts";
import { pageHeaders } from "./page.ts";
import { createViewerFile } from "./viewer-file.ts";

const ONE_YEAR_SECONDS = 31_536_000;
const ONE_DAY_SECONDS = 86_400;
/** The same logo as `icon.svg`, for clients that cannot show SVG. */
const FAVICON = new Uint8Array(readFileSync(join(import.meta.dir, "favicon.ico")));

export function referenceRoutes(input: {
  readonly settings: HttpSettings;
  readonly routes: readonly ApiRoute[];
  readonly hasConsole: boolean;
  readonly sandboxDirectives: HttpDeps["sandboxDirectives"];
}): readonly SiteRoute[] {
  const { routes, hasConsole, sandboxDirectives } = input;
  const { publicUrl } = input.settings;
  const viewer = createViewerFile();
  const documentReply = documentReplies(() =>
    openApiDocument(routes, { ...input.settings, sandboxDirectives }),
  );
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
          return new Response(file.plain(), { headers });
        return new Response(file.gzipped, { headers: { ...headers, "content-encoding": "gzip" } });
      },
    },
  ];
}
