import { isoBoxesAt, isoTopBoxes, type MediaType } from "../kit/index.ts";

/** There are pixels behind the header, up to where the picture says it ends; what stands behind its end is not asked. */
export function isWholePicture(bytes: Uint8Array, mediaType: MediaType): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (mediaType) {
    case "image/png":
      return isWholePng(view);
    case "image/jpeg":
      return isWholeJpeg(view);
    case "image/gif":
      return hasGifPixels(view);
    case "image/webp":
      return hasWebpPixels(view);
    default:
      return isWholeAvif(bytes);
  }
}

const IDAT = 0x49444154;
const IEND = 0x49454e44;

/** The largest picture in the smallest of chunks that anybody writes. */
const MAX_PNG_CHUNKS = 65_536;

/** Length, name, content and a sum, chunk by chunk. */
function isWholePng(view: DataView): boolean {
  let hasPixels = false;
  for (let at = 8, chunks = 0; at + 8 <= view.byteLength && chunks < MAX_PNG_CHUNKS; chunks += 1) {
    const sizeBytes = view.getUint32(at);
    const name = view.getUint32(at + 4);
    if (name === IEND) return hasPixels;
    hasPixels ||= name === IDAT && sizeBytes > 0;
    at += 12 + sizeBytes;
  }
  return false;
}

const MAX_SEGMENTS = 10_000;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Segment by segment to the pixels; among them the mark of the end cannot stand by chance. */
function isWholeJpeg(view: DataView): boolean {
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    while (at < view.byteLength && view.getUint8(at) === 0xff) at += 1;
    if (at + 3 > view.byteLength) return false;
    const marker = view.getUint8(at);
    if (marker === END_OF_IMAGE[1]) return false;
    at += 1 + view.getUint16(at + 1);
    if (marker !== START_OF_SCAN) continue;
    const file = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    return file.lastIndexOf(END_OF_IMAGE) > at;
  }
  return false;
}

const GIF_HEADER_BYTES = 13;
const GIF_EXTENSION = 0x21;
const GIF_PICTURE = 0x2c;
/** What a film of many pictures says before its first is a handful. */
const MAX_GIF_BLOCKS = 1_024;

function hasGifPixels(view: DataView): boolean {
  let at = GIF_HEADER_BYTES + colorTableBytes(view, 10);
  for (let blocks = 0; blocks < MAX_GIF_BLOCKS && at < view.byteLength; blocks += 1) {
    const kind = view.getUint8(at);
    if (kind === GIF_PICTURE) {
      const pixels = at + 11 + colorTableBytes(view, at + 9);
      return (
        pixels < view.byteLength &&
        pixels + view.getUint8(pixels) < view.byteLength &&
        view.getUint8(pixels) > 0
      );
    }
    if (kind !== GIF_EXTENSION) return false;
    at += 2;
    while (at < view.byteLength && view.getUint8(at) > 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  return false;
}

/** By the flags at this place: three bytes for each of 2, 4, … 256 colors. */
function colorTableBytes(view: DataView, at: number): number {
  const flags = at < view.byteLength ? view.getUint8(at) : 0;
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** `VP8 `, `VP8L` and `ANMF`, a picture of a moving one. */
const WEBP_PIXELS: ReadonlySet<number> = new Set([0x56503820, 0x5650384c, 0x414e4d46]);
const MAX_WEBP_CHUNKS = 1_024;

function hasWebpPixels(view: DataView): boolean {
  let at = 12;
  for (let chunks = 0; chunks < MAX_WEBP_CHUNKS && at + 8 <= view.byteLength; chunks += 1) {
    const sizeBytes = view.getUint32(at + 4, true);
    const end = at + 8 + sizeBytes;
    if (WEBP_PIXELS.has(view.getUint32(at))) return sizeBytes > 0 && end <= view.byteLength;
    at = end + (sizeBytes % 2);
  }
  return false;
}

const MAX_AVIF_BOXES = 4_096;

/** Pixels stand in a box of their own, or, few as they may be, within what describes them. */
function isWholeAvif(bytes: Uint8Array): boolean {
  const boxes = isoTopBoxes(bytes, { boxes: MAX_AVIF_BOXES }) ?? [];
  const hasPixels = boxes.some((box) => box.type === "mdat" && box.bytes.byteLength > 0);
  return hasPixels || isoBoxesAt(bytes, ["meta", "idat"]).some((box) => box.bytes.byteLength > 0);
}
