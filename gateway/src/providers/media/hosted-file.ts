import { type MadeFile, UnusableFile, type VideoState } from "../../contract/index.ts";
import { isDataUrl, readDataUrl, type StopSignal } from "../../kit/index.ts";
import type { MediaKind } from "../../media/index.ts";
import { type PublicFetch, UnsafeAddress } from "../../outbound/index.ts";
import { fetchWithBackoff } from "./backoff-fetch.ts";
import { madeFile, UNREADABLE_FILE } from "./made-file.ts";

/**
 * The largest file that we accept from a provider, and how long it may take to arrive. The longest video of the largest
 * kind is a third of this; it is held in memory once.
 */
const LIMITS: Readonly<Record<MediaKind, { readonly maxBytes: number; readonly timeoutMs: number }>> = {
  image: { maxBytes: 64 << 20, timeoutMs: 120_000 },
  audio: { maxBytes: 64 << 20, timeoutMs: 120_000 },
  video: { maxBytes: 256 << 20, timeoutMs: 300_000 },
};

export function hostedLimits(kind: MediaKind): { readonly maxBytes: number; readonly timeoutMs: number } {
  return LIMITS[kind];
}

type HostedFetch = { readonly fetchPublic: PublicFetch; readonly signal: StopSignal };

/**
 * Downloads a file that a provider made, under the address guard and with retries. Some providers put small files into
 * the URL itself.
 */
export function fetchHosted(url: string, kind: "image" | "audio", how: HostedFetch): Promise<MadeFile> {
  const { timeoutMs } = LIMITS[kind];
  return fetchWithBackoff((leftMs) => fetchOnce(url, kind, { ...how, timeoutMs: leftMs }), {
    withinMs: timeoutMs,
    signal: how.signal,
  });
}

async function fetchOnce(
  url: string,
  kind: MediaKind,
  { fetchPublic, signal, timeoutMs }: HostedFetch & { readonly timeoutMs: number },
): Promise<MadeFile> {
  if (isDataUrl(url)) return madeFile(decodeDataUri(url, kind), kind);
  const { maxBytes } = LIMITS[kind];
  const { bytes } = await fetchPublic(url, { maxBytes, timeoutMs, signal, accept: `${kind}/*` });
  return madeFile(bytes, kind);
}

/**
 * The final state of a video that its provider reports as done. Unsafe addresses, files that are not videos and files
 * that are too large are final failures. A download that failed or broke off throws, so that the job tries it again.
 */
export async function fetchVideo(url: string, how: HostedFetch): Promise<VideoState> {
  const { timeoutMs } = LIMITS.video;
  try {
    return { state: "succeeded", file: await fetchOnce(url, "video", { ...how, timeoutMs }) };
  } catch (error) {
    if (!(error instanceof UnsafeAddress || error instanceof UnusableFile)) throw error;
    return { state: "failed", reason: "provider_error", message: error.publicMessage };
  }
}

/** Enforces the size limit of downloads before decoding anything. */
export function decodeDataUri(uri: string, kind: MediaKind): Uint8Array<ArrayBuffer> {
  const read = readDataUrl(uri);
  if (!read?.isBase64) throw new UnusableFile(UNREADABLE_FILE, "a data address that is not base64");
  const { maxBytes } = LIMITS[kind];
  if (((uri.length - read.start) / 4) * 3 > maxBytes) {
    throw new UnusableFile(UNREADABLE_FILE, `over ${maxBytes} bytes`);
  }
  return Buffer.from(uri.slice(read.start), "base64");
}
