const HEADER_BYTES = 10;

/** Where an MP3's sound begins: a tag may stand before it, whose length is written seven bits to the byte. */
export function afterId3Tag(bytes: Uint8Array): number {
  const [i, d, three] = bytes;
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  return HEADER_BYTES + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] ?? 0) & 0x7f), 0);
}
