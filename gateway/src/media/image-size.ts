import { avifSize } from "./avif-size.ts";
import type { ImageSize } from "./covering-size.ts";
import { gifSize } from "./gif-size.ts";
import { jpegSize } from "./jpeg-size.ts";
import { sniffMediaType } from "./media-type.ts";
import { webpSize } from "./webp-size.ts";

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
