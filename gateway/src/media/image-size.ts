import { avifSize } from "./avif-size.ts";
import { coveringSize, type ImageSize } from "./covering-size.ts";
import { sniffMediaType } from "./media-type.ts";
import { webpSize } from "./webp-size.ts";

/** Counts data sub-blocks too. Encoders fill those to 255 bytes, so the largest accepted file has a quarter of this. */
const MAX_BLOCKS = 1_000_000;

const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;

/**
 * Covers the screen and every frame, since decoders allocate for a frame that exceeds the screen. For a truncated file,
 * what was read so far; null if it has more blocks than are read, since any of the others might be a bomb.
 */
function gifSize(view: DataView): ImageSize | null {
  if (view.byteLength < 10) return null;
  let size: ImageSize | null = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (view.byteLength < 13) return size;
  let at = 13 + tableBytes(view.getUint8(10));
  for (let blocks = 0; at < view.byteLength; blocks++) {
    if (blocks === MAX_BLOCKS) return null;
    const kind = view.getUint8(at);
    if (kind === TRAILER) return size;
    // Some decoders skip bytes that start no block, so nothing may hide behind them.
    if (kind !== FRAME && kind !== EXTENSION) {
      at++;
      continue;
    }
    if (kind === FRAME) {
      if (at + 10 > view.byteLength) return size;
      size = coveringSize(size, reachOf(view, at + 1));
      at += 11 + tableBytes(view.getUint8(at + 9));
    } else {
      at += 2;
    }
    // Both end in data sub-blocks, each preceded by its length; length 0 ends them.
    for (let length = -1; length !== 0 && at < view.byteLength; at += 1 + length) {
      if (++blocks === MAX_BLOCKS) return null;
      length = view.getUint8(at);
    }
  }
  return size;
}

/** The fields are left, top, width, height. */
function reachOf(view: DataView, at: number): ImageSize {
  return {
    width: view.getUint16(at, true) + view.getUint16(at + 4, true),
    height: view.getUint16(at + 2, true) + view.getUint16(at + 6, true),
  };
}

/** Size of the colour table that these flags announce. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 0x07) + 1);
}

/** Segments before the frame header; a camera writes a dozen. */
const MAX_SEGMENTS = 10_000;

/**
 * Walks the segments up to the frame header, which has the size; previews in earlier segments do not count. An
 * unexpected marker ends the walk: decoders disagree about how much follows it, so they might see a different image
 * than we do.
 */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    if (at >= view.byteLength || view.getUint8(at) !== 0xff) return null;
    while (at < view.byteLength && view.getUint8(at) === 0xff) at++;
    if (at + 8 > view.byteLength) return null;
    const marker = view.getUint8(at);
    if (isFrame(marker)) return { height: view.getUint16(at + 4), width: view.getUint16(at + 6) };
    if (isAlone(marker)) at += 1;
    else if (hasLength(marker)) at += 1 + view.getUint16(at + 1);
    else return null;
  }
  return null;
}

/** Huffman tables, arithmetic coding tables and an extension have markers within the range of frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Restart and temporary markers have no content: the next marker follows at once. */
function isAlone(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
}

/** Code tables, quantization tables, number of lines, restart interval, application data, comments. */
function hasLength(marker: number): boolean {
  const isAdded = marker >= 0xe0 && marker <= 0xef;
  return isAdded || [0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xfe].includes(marker);
}

/** An image that decodes to more than this is treated as a decompression bomb, however small the file. */
export const MAX_PIXELS = 50_000_000;

export type { ImageSize };

/** Size from the headers, without decoding a pixel; null if it is no image that we accept, or its header is broken. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const size = sizeOf(bytes);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

export function hasTooManyPixels({ width, height }: ImageSize): boolean {
  return width * height > MAX_PIXELS;
}

function sizeOf(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (sniffMediaType(bytes)) {
    case "image/png":
      return bytes.length < 24 ? null : { width: view.getUint32(16), height: view.getUint32(20) };
    case "image/gif":
      return gifSize(view);
    case "image/jpeg":
      return jpegSize(view);
    case "image/webp":
      return webpSize(view);
    case "image/avif":
      return avifSize(bytes);
    default:
      return null;
  }
}
