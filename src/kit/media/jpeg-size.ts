import type { ImageSize } from "./covering-size.ts";

/** Segments before the frame's own; a camera writes a dozen. */
const MAX_SEGMENTS = 10_000;

/**
 * Segment by segment to the start of the frame, which holds the size; sizes in previews before it do not count. A marker
 * that has no place here ends the walk: decoders disagree about the length of what is behind it, and a reader that takes
 * another way than they do may be shown another picture.
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

/** Tables of Huffman and arithmetic codes, and an extension, have numbers among those of frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Restarts and a mark of private use, which stand for themselves: the next marker follows at once. */
function isAlone(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
}

/** Tables of codes and of quantization, the number of lines, the restarts' distance, what programs add, a comment. */
function hasLength(marker: number): boolean {
  const isAdded = marker >= 0xe0 && marker <= 0xef;
  return isAdded || [0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xfe].includes(marker);
}
