import { coveringSize, type ImageSize } from "./covering-size.ts";

/** A frame of an animation has two or three chunks. */
const MAX_CHUNKS = 100_000;

/** Every chunk begins with its name and its length. */
const HEADER_BYTES = 8;

/**
 * Covers the canvas and every frame, since a frame may have a different size than the canvas. For a truncated file,
 * what was read so far; null if it has more chunks than are read.
 */
export function webpSize(view: DataView): ImageSize | null {
  let size: ImageSize | null = null;
  let at = 12;
  for (let chunks = 0; at + HEADER_BYTES <= view.byteLength; chunks++) {
    if (chunks === MAX_CHUNKS) return null;
    const name = view.getUint32(at);
    const length = view.getUint32(at + 4, true);
    size = coveringSize(size, sizeIn(view, name, at + HEADER_BYTES));
    // A frame contains chunks, which are read like those around it.
    at += HEADER_BYTES + (name === FRAME ? FRAME_HEAD_BYTES : length + (length % 2));
  }
  return size;
}

const LOSSY = 0x56503820;
const LOSSLESS = 0x5650384c;
const CANVAS = 0x56503858;
const FRAME = 0x414e4d46;
const FRAME_HEAD_BYTES = 16;

/** The size that this chunk declares, if any. */
function sizeIn(view: DataView, name: number, at: number): ImageSize | null {
  const has = (bytes: number) => at + bytes <= view.byteLength;
  const triple = (offset: number) =>
    view.getUint16(at + offset, true) | (view.getUint8(at + offset + 2) << 16);
  switch (name) {
    case LOSSY:
      if (!has(10)) return null;
      return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff };
    case LOSSLESS: {
      if (!has(5)) return null;
      const packed = view.getUint32(at + 1, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case CANVAS:
      return has(10) ? { width: triple(4) + 1, height: triple(7) + 1 } : null;
    case FRAME:
      // Offsets are in units of two pixels.
      return has(FRAME_HEAD_BYTES)
        ? { width: triple(0) * 2 + triple(6) + 1, height: triple(3) * 2 + triple(9) + 1 }
        : null;
    default:
      return null;
  }
}
