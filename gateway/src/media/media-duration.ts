import { isoDurationMs } from "./iso-length.ts";
import type { MediaType } from "./media-type.ts";

/**
 * Duration of video or audio, if its container declares one. Undefined if it does not (streams, MP3, Ogg, WebM). Null
 * if it must, but the value is broken or contradicts the size.
 */
export function mediaDurationMs(bytes: Uint8Array, mediaType: MediaType): number | null | undefined {
  switch (mediaType) {
    case "video/mp4":
    case "audio/mp4":
      return isoDurationMs(bytes);
    case "audio/wav":
      return wavDurationMs(bytes);
    case "audio/flac":
      return flacDurationMs(bytes);
    default:
      return undefined;
  }
}

const MAX_CHUNKS = 256;

/**
 * The longest possible duration, since files come from strangers: the declared length of the samples is not trusted,
 * and of the two declared rates the slower one is used.
 */
function wavDurationMs(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + 8 <= bytes.length; chunks++) {
    const isFormat = view.getUint32(at) === 0x666d7420;
    if (isFormat && at + 22 <= bytes.length) {
      const byFrames = view.getUint32(at + 12, true) * view.getUint16(at + 20, true);
      const rates = [view.getUint32(at + 16, true), byFrames].filter((bytesPerSecond) => bytesPerSecond > 0);
      return rates.length === 0 ? null : (bytes.length / Math.min(...rates)) * 1000;
    }
    const sizeBytes = view.getUint32(at + 4, true);
    at += 8 + sizeBytes + (sizeBytes & 1);
  }
  return null;
}

/** The first block is always STREAMINFO: a rate of 20 bits, later 36 bits for the number of samples. */
function flacDurationMs(bytes: Uint8Array): number | null | undefined {
  if (bytes.length < 26 || ((bytes[4] ?? 0) & 0x7f) !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const perSecond = view.getUint32(18) >>> 12;
  const samples = ((bytes[21] ?? 0) & 0x0f) * 2 ** 32 + view.getUint32(22);
  if (perSecond === 0) return null;
  return samples === 0 ? undefined : (samples / perSecond) * 1000;
}
