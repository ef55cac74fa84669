import { decodedBody } from "../body-source.ts";
import { joined } from "../join-pieces.ts";
import { oversizeFile } from "./public-failure.ts";

/** The whole file, decoded. The limit applies to the decoded size, so a decompression bomb is cut off. */
export async function readPublicBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  // A content-length beside a chunked body is wrong, but the client passes it on to us.
  const isPlain = !response.headers.has("content-encoding") && !response.headers.has("transfer-encoding");
  if (isPlain && announced > maxBytes) throw oversizeFile(maxBytes);
  // Bun reads it in one piece, without a second copy of a video in memory, and never more than was announced.
  if (isPlain && announced <= maxBytes) return response.bytes();
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const stream = decodedBody(response, { where: "" });
  if (stream === null) return new Uint8Array(0);
  for await (const piece of stream) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) throw oversizeFile(maxBytes);
    pieces.push(piece);
  }
  return joined(pieces);
}
