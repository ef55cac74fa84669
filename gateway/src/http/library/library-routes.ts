import { extensionOf, type OpenAsset } from "../../assets/index.ts";
import { AppError, nothingAtPath } from "../../kit/index.ts";
import type { HttpDeps } from "../context.ts";
import { nativeError } from "../native/errors.ts";
import type { SiteRoute, SiteVisit } from "../pages/site-route.ts";
import { createPieceStreams, type PieceStreams } from "../piece-streams.ts";
import { pathOf } from "../request-target.ts";
import { type ByteRange, decodeRange } from "./byte-range.ts";
import { etagOf, fileHeaders, matchesEtag, wantsAnother } from "./file-headers.ts";

/**
 * Readers of one process whose bytes pass through our memory, one piece each. One more takes another's place, or is
 * refused: see `PieceStreams`.
 */
const MOST_STREAMS = 256;

const NAME = /^\/library\/([A-Za-z0-9_-]{32})\.([a-z0-9]{3,4})$/;

/** The library's files. They need no key: knowing the URL is enough, so it is as good as a key. */
export function libraryRoutes({ library, settings }: Pick<HttpDeps, "library" | "settings">): SiteRoute[] {
  const streams = createPieceStreams({ stallMs: settings.stallMs, mostOpen: MOST_STREAMS });
  return [
    {
      path: "/library/:name",
      async respond(visit) {
        const [, token, extension] = NAME.exec(pathOf(visit.request)) ?? [];
        const file = token === undefined ? null : await library.open(token);
        if (file === null || extensionOf(file.asset.mediaType) !== extension) throw nothingAtPath();
        return replyWith(file, visit, streams);
      },
    },
  ];
}

async function replyWith(file: OpenAsset, visit: SiteVisit, streams: PieceStreams): Promise<Response> {
  const { method, headers: asked } = visit.request;
  const { sizeBytes } = file.asset;
  const headers = fileHeaders(file.asset, visit.requestId);
  if (wantsAnother(asked.get("if-match"), etagOf(file.asset))) throw another();
  if (matchesEtag(asked.get("if-none-match"), etagOf(file.asset))) {
    return new Response(null, { status: 304, headers });
  }
  if (method === "HEAD")
    return new Response(null, { headers: { ...headers, "content-length": `${sizeBytes}` } });
  const wanted = rangeWanted(asked, file);
  if (wanted === "outside") return outside(visit.requestId, sizeBytes);
  if (wanted === "whole") {
    const whole = { start: 0, length: sizeBytes };
    // The server would itself apply a range to a file that it sends by itself, even a range that we ignore.
    const body = asked.has("range")
      ? await streams.open(file.read, whole, file.asset.orgId)
      : await bodyOf(file, whole, streams);
    return new Response(body, { headers });
  }
  headers["content-range"] = `bytes ${wanted.start}-${wanted.start + wanted.length - 1}/${sizeBytes}`;
  return new Response(await bodyOf(file, wanted, streams), { status: 206, headers });
}

/** With `If-Range` a part is wanted only if the file is still the one that the client has begun to load. */
function rangeWanted(asked: Headers, { asset }: OpenAsset): ByteRange | "whole" | "outside" {
  const begun = asked.get("if-range");
  if (begun !== null && begun !== etagOf(asset)) return "whole";
  return decodeRange(asked.get("range"), asset.sizeBytes);
}

async function bodyOf(file: OpenAsset, range: ByteRange, streams: PieceStreams): Promise<BodyInit> {
  return file.blobOf(range.start, range.length) ?? streams.open(file.read, range, file.asset.orgId);
}

function another(): AppError {
  return new AppError("validation_error", "If-Match: does not match the file at this address", {
    status: 412,
  });
}

function outside(requestId: string, sizeBytes: number): Response {
  const message = `Range: must lie within the ${sizeBytes} bytes of the file`;
  const response = nativeError(new AppError("validation_error", message, { status: 416 }), requestId);
  response.headers.set("content-range", `bytes */${sizeBytes}`);
  return response;
}
