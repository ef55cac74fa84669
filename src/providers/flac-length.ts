import { mediaDurationMs } from "../kit/index.ts";

/** A real file has a handful; more is somebody's trick. */
const MAX_BLOCKS = 1_024;

/** Null: nothing stands behind the headers, or they are broken. Undefined: they do not say. */
export function flacLengthMs(bytes: Uint8Array): number | null | undefined {
  return hasFrame(bytes) ? mediaDurationMs(bytes, "audio/flac") : null;
}

/** The blocks before the sound say their lengths, and which of them is the last. */
function hasFrame(bytes: Uint8Array): boolean {
  let at = 4;
  for (let blocks = 0; blocks < MAX_BLOCKS && at + 4 <= bytes.byteLength; blocks += 1) {
    const [head = 0, high = 0, middle = 0, low = 0] = bytes.subarray(at, at + 4);
    at += 4 + high * 65_536 + middle * 256 + low;
    if ((head & 0x80) !== 0) return bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xfe) === 0xf8;
  }
  return false;
}
