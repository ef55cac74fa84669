const BACKSLASH = 0x5c;
const IN_EACH_BYTE = 0x5c5c5c5c;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;

/** True if there are more than `most`. Checks four bytes at a time: most bodies long enough to be checked have few. */
export function hasMoreBackslashes(bytes: Uint8Array, most: number): boolean {
  const head = (4 - (bytes.byteOffset % 4)) % 4;
  if (bytes.length < head) return countIn(bytes, 0, bytes.length) > most;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2);
  let left = most - countIn(bytes, 0, head) - countIn(bytes, head + words.length * 4, bytes.length);
  for (let at = 0; at < words.length && left >= 0; at++) {
    const zeroed = (words[at] as number) ^ IN_EACH_BYTE;
    // Non-zero exactly if one of the four bytes is zero.
    if (((zeroed - ONES) & ~zeroed & HIGH_BITS) !== 0) {
      const start = head + at * 4;
      left -= countIn(bytes, start, start + 4);
    }
  }
  return left < 0;
}

function countIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) count++;
  return count;
}
