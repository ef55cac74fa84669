import { type GivenFile, ProviderFailure } from "../../contract/index.ts";
import { AppError, createShares, invalid, overloaded } from "../../kit/index.ts";
import { hasTooManyPixels, imageSize, isUsableMedia, sniffMediaType } from "../../media/index.ts";
import type { PublicFetch } from "../../outbound/index.ts";

const FIELD = "reference_image_urls";
const MAX_EACH_BYTES = 25 * 1024 * 1024;
/** For one call: sixteen images of the largest size would be the memory of a small machine. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** For all images of a call together. */
const TIMEOUT_MS = 30_000;
/** Concurrent calls of this process that fetch: nothing is held for them yet, so nothing else bounds them. */
const MAX_AT_ONCE = 8;
/** For one organization: URLs that never answer cost their sender nothing, and would block others. */
const MAX_OF_ONE = 3;

export type ReferenceImages = {
  /**
   * In the order given. Throws a refusal for the first URL without a usable image; it does not say why a fetch
   * failed.
   */
  fetch(orgId: string, urls: readonly string[]): Promise<readonly GivenFile[]>;
};

/** Fetches images from URLs that a client supplied. */
export function createReferenceImages(fetchPublic: PublicFetch): ReferenceImages {
  const places = createShares({ all: MAX_AT_ONCE, ofOne: MAX_OF_ONE });

  async function fetchAll(urls: readonly string[]): Promise<readonly GivenFile[]> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const files: GivenFile[] = [];
    let leftBytes = MAX_TOTAL_BYTES;
    for (const [at, url] of urls.entries()) {
      const maxBytes = Math.min(MAX_EACH_BYTES, leftBytes);
      const options = { maxBytes, timeoutMs: TIMEOUT_MS, signal, accept: "image/*" };
      const { bytes } = await fetchPublic(url, options).catch((error: unknown) => {
        throw refusalOf(error, `${FIELD}[${at}]`, signal);
      });
      leftBytes -= bytes.byteLength;
      files.push(await usableImage(bytes, `${FIELD}[${at}]`));
    }
    return files;
  }

  return {
    async fetch(orgId, urls) {
      if (urls.length === 0) return [];
      if (places.of(orgId) >= MAX_OF_ONE) throw tooManyOfOne();
      if (!places.take(orgId, 1)) throw overloaded(`${places.taken} calls fetch references`);
      try {
        return await fetchAll(urls);
      } finally {
        places.giveBack(orgId, 1);
      }
    },
  };
}

function tooManyOfOne(): AppError {
  return new AppError(
    "rate_limit_exceeded",
    `Reference images are already being fetched for ${MAX_OF_ONE} calls of this organization. Try again when one has ended.`,
    { retryAfterSeconds: 1 },
  );
}

async function usableImage(bytes: Uint8Array, field: string): Promise<GivenFile> {
  const mediaType = sniffMediaType(bytes);
  const size = imageSize(bytes);
  if (mediaType === null || size === null) {
    throw invalid(field, "must be the address of a PNG, JPEG, WebP, GIF or AVIF image");
  }
  if (hasTooManyPixels(size))
    throw invalid(field, "must be the address of an image of at most 50 megapixels");
  if (!(await isUsableMedia({ bytes, mediaType })))
    throw invalid(field, "must be the address of a whole image: this one cannot be decoded");
  return { bytes, mediaType };
}

/** The same error for every failed fetch: it must not reveal what is at the URL. */
function refusalOf(error: unknown, field: string, signal: AbortSignal): unknown {
  if (!(error instanceof ProviderFailure) && !signal.aborted) return error;
  const accepts = `must be the public address of an image of at most ${MAX_EACH_BYTES / 1024 / 1024} MiB (${MAX_TOTAL_BYTES / 1024 / 1024} MiB together) that can be fetched`;
  const internal = error instanceof ProviderFailure ? error.detail.internal : "too slow";
  return new AppError("validation_error", `${field}: ${accepts}`, { field, internal });
}
