import { avifSize } from "./avif-size.ts";
import { coveringSize, type ImageSize } from "./covering-size.ts";
import { sniffMediaType } from "./media-type.ts";

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

/** A frame of an animation has two or three chunks. */
const MAX_CHUNKS = 100_000;

/** Every chunk begins with its name and its length. */
const CHUNK_HEADER_BYTES = 8;

/**
 * Covers the canvas and every frame, since a frame may have a different size than the canvas. For a truncated file,
 * what was read so far; null if it has more chunks than are read.
 */
function webpSize(view: DataView): ImageSize | null {
  let size: ImageSize | null = null;
  let at = 12;
  for (let chunks = 0; at + CHUNK_HEADER_BYTES <= view.byteLength; chunks++) {
    if (chunks === MAX_CHUNKS) return null;
    const name = view.getUint32(at);
    const length = view.getUint32(at + 4, true);
    size = coveringSize(size, sizeInChunk(view, name, at + CHUNK_HEADER_BYTES));
    // A frame contains chunks, which are read like those around it.
    at += CHUNK_HEADER_BYTES + (name === WEBP_FRAME ? FRAME_HEAD_BYTES : length + (length % 2));
  }
  return size;
}

const WEBP_LOSSY = 0x56503820;
const WEBP_LOSSLESS = 0x5650384c;
const WEBP_CANVAS = 0x56503858;
const WEBP_FRAME = 0x414e4d46;
const FRAME_HEAD_BYTES = 16;

/** The size that this chunk declares, if any. */
function sizeInChunk(view: DataView, name: number, at: number): ImageSize | null {
  const has = (bytes: number) => at + bytes <= view.byteLength;
  const triple = (offset: number) =>
    view.getUint16(at + offset, true) | (view.getUint8(at + offset + 2) << 16);
  switch (name) {
    case WEBP_LOSSY:
      if (!has(10)) return null;
      return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
    case WEBP_LOSSLESS: {
      if (!has(5)) return null;
      const packed = view.getUint32(at + 1, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case WEBP_CANVAS:
      return has(10) ? { width: triple(4) + 1, height: triple(7) + 1 } : null;
    case WEBP_FRAME:
      // Offsets are in units of two pixels.
      return has(FRAME_HEAD_BYTES)
        ? { width: triple(0) * 2 + triple(6) + 1, height: triple(3) * 2 + triple(9) + 1 }
        : null;
    default:
      return null;
  }
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
