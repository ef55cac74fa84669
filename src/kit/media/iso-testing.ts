/** A box of an ISO media file. */
export function isoBox(type: string, ...inside: Uint8Array[]): Buffer {
  const body = Buffer.concat(inside);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}
