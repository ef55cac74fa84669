import { type Asset, extensionOf } from "../../assets/index.ts";

/**
 * Headers that keep a file of unknown origin harmless on our own origin: its type is from our closed list and browsers
 * must not sniff it; opened as a page it may load nothing but itself and run no scripts. Other sites may embed the
 * file and read it, also from a cache that fetched it for an `<img>`. Caches must revalidate with us, so a deleted file
 * is gone at once.
 */
export function fileHeaders(asset: Asset, requestId: string): Record<string, string> {
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

export function etagOf(asset: Pick<Asset, "sha256">): string {
  return `"${asset.sha256.slice(0, 32)}"`;
}

/** True for `*`, or a list that contains ours, weak or strong. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((one) => {
    const text = one.trim();
    return text === "*" || text === etag || text === `W/${etag}`;
  });
}

/** True if the list does not contain ours; weak tags never match, as `If-Match` requires. */
export function wantsAnother(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return !header.split(",").some((one) => one.trim() === "*" || one.trim() === etag);
}
