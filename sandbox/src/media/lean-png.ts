const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Length and name before a chunk's content, and a checksum after it. */
const FRAME_BYTES = 12;
const CHUNK_NAME = /^[A-Za-z]{4}$/;
/** Only pixels and colour profiles need more. */
const MAX_CHUNK_BYTES = 64 * 1024;
const LIMITS: ReadonlyMap<string, number> = new Map([
  ["IDAT", Number.POSITIVE_INFINITY],
  ["iCCP", 1024 * 1024],
]);

/**
 * A PNG that is safe for the canvas to decode: without oversized chunks, for which the decoder takes time quadratic in
 * their size, be it for text or for a palette. Anything without such chunks, or not a PNG, is returned as it is.
 */
export function withoutLargeChunks(bytes: Uint8Array): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return file;
  const kept: Buffer[] = [];
  let keptFrom = 0;
  for (let at = SIGNATURE.length; at + FRAME_BYTES <= file.length; ) {
    const contentBytes = file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    // After a broken chunk, the start of the next one is unknown.
    if (!CHUNK_NAME.test(name)) break;
    const end = Math.min(file.length, at + FRAME_BYTES + contentBytes);
    if (contentBytes > (LIMITS.get(name) ?? MAX_CHUNK_BYTES)) {
      kept.push(file.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  if (kept.length === 0) return file;
  kept.push(file.subarray(keptFrom));
  return Buffer.concat(kept);
}
