const HEADER_BYTES = 10;

/** The offset behind the ID3 tag that begins at `start`; null if none does. Its length has seven bits per byte. */
export function afterId3Tag(bytes: Uint8Array, start = 0): number | null {
  if (bytes[start] !== 0x49 || bytes[start + 1] !== 0x44 || bytes[start + 2] !== 0x33) return null;
  const sizeBytes = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[start + at] ?? 0) & 0x7f), 0);
  return start + HEADER_BYTES + sizeBytes;
}
