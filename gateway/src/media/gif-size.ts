import { coveringSize, type ImageSize } from "./covering-size.ts";

/** Counts data sub-blocks too. Encoders fill those to 255 bytes, so the largest accepted file has a quarter of this. */
const MAX_BLOCKS = 1_000_000;

const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;

/**
 * Covers the screen and every frame, since decoders allocate for a frame that exceeds the screen. For a truncated file,
 * what was read so far; null if it has more blocks than are read, since any of the others might be a bomb.
 */
export function gifSize(view: DataView): ImageSize | null {
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
