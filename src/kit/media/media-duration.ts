import { isoBoxesAt } from "./iso-boxes.ts";
import type { MediaType } from "./media-type.ts";

/**
 * How long film or sound lasts, where its container says so in its header. Undefined: it does not say (streams, MP3,
 * Ogg, WebM). Null: it must say, and what stands there is broken or lies about its size.
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

/** The longest of what the film and its tracks say: a short film must not hide a long track. */
function isoDurationMs(bytes: Uint8Array): number | null | undefined {
  const headers = [
    ...isoBoxesAt(bytes, ["moov", "mvhd"]),
    ...isoBoxesAt(bytes, ["moov", "trak", "mdia", "mdhd"]),
  ];
  if (isoBoxesAt(bytes, ["moov", "mvhd"]).length === 0) return null;
  const lengths = headers.map((box) => isoLengthMs(box.bytes));
  if (lengths.some((length) => length === null)) return null;
  const longest = lengths.reduce<number>((most, length) => Math.max(most, length ?? 0), 0);
  // A film in fragments says nothing in its header.
  return longest === 0 ? undefined : longest;
}

/**
 * `mvhd` and `mdhd` begin alike: version, two times, units in a second, length in units. 0: it does not say; null: it is
 * broken.
 */
export function isoLengthMs(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = bytes[0] === 1;
  if (bytes.length < (isLong ? 32 : 20)) return null;
  const perSecond = view.getUint32(isLong ? 20 : 12);
  const length = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
  // All bits set: unknown.
  if (length === (isLong ? 2 ** 64 : 0xffffffff)) return 0;
  return perSecond === 0 ? null : (length / perSecond) * 1000;
}

const MAX_CHUNKS = 256;

/**
 * The longest that it can last, for files that strangers send: what the header says of the length of its samples is not
 * believed, and of the two rates that it says the slower one is.
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

/** The first block is always the one with the figures: 20 bits of rate, then 36 bits of samples. */
function flacDurationMs(bytes: Uint8Array): number | null | undefined {
  if (bytes.length < 26 || ((bytes[4] ?? 0) & 0x7f) !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const perSecond = view.getUint32(18) >>> 12;
  const samples = ((bytes[21] ?? 0) & 0x0f) * 2 ** 32 + view.getUint32(22);
  if (perSecond === 0) return null;
  return samples === 0 ? undefined : (samples / perSecond) * 1000;
}
