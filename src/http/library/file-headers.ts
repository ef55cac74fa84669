import { type Asset, extensionOf } from "../../assets/index.ts";

/**
 * What keeps a file of unknown origin harmless on our own address: its type is one of our closed list and is not
 * guessed again, and as a page it may load nothing but itself and run nothing. Whoever has the address may show
 * the file on a page of theirs. Nothing is kept without asking us first, so a deleted file is gone at once.
 */
export function fileHeaders(asset: Asset, requestId: string): Record<string, string> {
  return {
    "content-type": asset.mediaType,
    "content-disposition": `inline; filename="${asset.id}.${extensionOf(asset.mediaType)}"`,
    "x-content-type-options": "nosniff",
    "content-security-policy": policyFor(asset.mediaType),
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache",
    etag: etagOf(asset),
    "accept-ranges": "bytes",
    "x-request-id": requestId,
  };
}

/**
 * A browser shows a picture, sound or video opened by itself inside a page of its own making, held to this too. Scripts,
 * forms and windows stay forbidden. Sound and video are loaded a second time by that page, and newer browsers refuse that
 * to a page without an origin, so theirs keeps ours.
 */
function policyFor(mediaType: string): string {
  const sandbox = /^(audio|video)\//.test(mediaType) ? "sandbox allow-same-origin" : "sandbox";
  return `${sandbox}; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'`;
}

export function etagOf(asset: Pick<Asset, "sha256">): string {
  return `"${asset.sha256.slice(0, 32)}"`;
}

/** `*`, or a list in which ours stands, weak or strong. */
export function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((one) => {
    const text = one.trim();
    return text === "*" || text === etag || text === `W/${etag}`;
  });
}

/** A list in which ours does not stand; a weak one is never the same for sure. */
export function wantsAnother(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return !header.split(",").some((one) => one.trim() === "*" || one.trim() === etag);
}
