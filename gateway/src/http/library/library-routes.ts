import { type Asset, extensionOf, type OpenAsset } from "../../assets/index.ts";
import { AppError, nothingAtPath } from "../../kit/index.ts";
import type { HttpDeps } from "../context.ts";
import { nativeError } from "../native/errors.ts";
import type { SiteRoute, SiteVisit } from "../pages/site-route.ts";
import { createPieceStreams, type PieceStreams } from "../piece-streams.ts";
import { pathOf } from "../request-target.ts";
import { type ByteRange, decodeRange } from "./byte-range.ts";

/**
 * Headers that keep a file of unknown origin harmless on our own origin: its type is from our closed list and browsers
 * must not sniff it; opened as a page it may load nothing but itself and run no scripts. Other sites may embed the
 * file and read it, also from a cache that fetched it for an `<img>`. Caches must revalidate with us, so a deleted file
 * is gone at once.
 */
function fileHeaders(asset: Asset, requestId: string): Record<string, string> {
  return {
    "content-type": asset.mediaType,
    "content-disposition": `inline; filename="${asset.id}.${extensionOf(asset.mediaType)}"`,
    "x-content-type-options": "nosniff",
    "content-security-policy": policyFor(asset.mediaType),
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache",
    etag: etagOf(asset),
    "accept-ranges": "bytes",
    "x-request-id": requestId,
  };
}

/**
 * A browser that opens an image, audio or video file directly shows it inside a page that it generates, and this policy
 * applies to that page. Scripts, forms and popups stay forbidden. The page loads audio and video a second time, which
 * newer browsers refuse to a page without an origin, so these two keep ours.
 */
function policyFor(mediaType: string): string {
  const sandbox = /^(audio|video)\//.test(mediaType) ? "sandbox allow-same-origin" : "sandbox";
  return `${sandbox}; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'`;
}

function etagOf(asset: Pick<Asset, "sha256">): string {
  return `"${asset.sha256.slice(0, 32)}"`;
}

/** True for `*`, or a list that contains ours, weak or strong. */
function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((one) => {
    const text = one.trim();
    return text === "*" || text === etag || text === `W/${etag}`;
  });
}

/** True if the list does not contain ours; weak tags never match, as `If-Match` requires. */
function wantsAnother(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return !header.split(",").some((one) => one.trim() === "*" || one.trim() === etag);
}

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
