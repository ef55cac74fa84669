import { decodedBody } from "./body-source.ts";
import { joined } from "./join-pieces.ts";
import { oversizeFile } from "./public-failure.ts";

/** The whole file, decoded: a small one that unfolds into a huge one is cut at the bound, too. */
export async function readPublicBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  // Beside a body in pieces a length is a lie that the client hands on to us.
  const isPlain = !response.headers.has("content-encoding") && !response.headers.has("transfer-encoding");
  if (isPlain && announced > maxBytes) throw oversizeFile(maxBytes);
  // Read by Bun in one piece: no second copy of a video in memory. It takes no more than was announced.
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
