import type { ImageSize } from "./covering-size.ts";

/** Segments before the frame header; a camera writes a dozen. */
const MAX_SEGMENTS = 10_000;

/**
 * Walks the segments up to the frame header, which has the size; previews in earlier segments do not count. An
 * unexpected marker ends the walk: decoders disagree about how much follows it, so they might see a different image
 * than we do.
 */
export function jpegSize(view: DataView): ImageSize | null {
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
