import { isoBoxesAt } from "./iso-boxes.ts";
import { sniffMediaType } from "./media-type.ts";

/** A picture that unfolds to more than this is a bomb, whatever it weighs. */
export const MAX_PIXELS = 50_000_000;

export type ImageSize = { readonly width: number; readonly height: number };

/** What the header says, without decoding a pixel; null where it is no picture of ours or its header is broken. */
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
      return bytes.length < 10 ? null : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
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

/** Segments before the frame's own; a camera writes a dozen. */
const MAX_SEGMENTS = 10_000;

/** Segment by segment to the start of the frame, which holds the size; sizes in previews before it do not count. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    while (at < view.byteLength && view.getUint8(at) === 0xff) at++;
    if (at + 8 > view.byteLength) return null;
    const marker = view.getUint8(at);
    // Tables of Huffman and arithmetic codes, and an extension, have numbers among those of frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 4), width: view.getUint16(at + 6) };
    const isScan = marker === 0xda || marker === 0xd9;
    if (isScan) return null;
    at += 1 + view.getUint16(at + 1);
    if (at >= view.byteLength || view.getUint8(at) !== 0xff) return null;
  }
  return null;
}

const LOSSY = 0x20;
const LOSSLESS = 0x4c;
const EXTENDED = 0x58;

function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30) return null;
  switch (view.getUint8(15)) {
    case LOSSY:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case LOSSLESS: {
      const packed = view.getUint32(21, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case EXTENDED:
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return null;
  }
}

/** The largest of all that are declared: a small preview must not hide a bomb. */
function avifSize(bytes: Uint8Array): ImageSize | null {
  const sizes = isoBoxesAt(bytes, ["meta", "iprp", "ipco", "ispe"])
    .filter((box) => box.bytes.length >= 12)
    .map((box) => {
      const view = new DataView(box.bytes.buffer, box.bytes.byteOffset, box.bytes.byteLength);
      return { width: view.getUint32(4), height: view.getUint32(8) };
    });
  return sizes.reduce<ImageSize | null>((largest, size) => {
    const isLarger = largest === null || size.width * size.height > largest.width * largest.height;
    return isLarger ? size : largest;
  }, null);
}
