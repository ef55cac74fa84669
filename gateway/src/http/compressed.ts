import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsEncoding } from "./pages/accepts-encoding.ts";

/** Shorter replies are sent as they are. */
const MAX_PLAIN_BYTES = 1_024;
/** Longer ones are compressed off the main thread; a thread would take longer to wake for the others. */
const MAX_AT_ONCE_BYTES = 16 * 1_024;
const LEVEL = 5;

const compress = promisify(gzip);

/** Marks a reply that is compressed for clients that ask for it, by the header that caches need in any case. */
export function varyByEncoding(headers: Headers, body: unknown): void {
  const isLong = typeof body === "string" && Buffer.byteLength(body) > MAX_PLAIN_BYTES;
  if (isLong) headers.set("vary", "accept-encoding");
}

/** The one place where replies are compressed as they are sent; files that never change are kept compressed. */
export function compressed(request: Request, response: Response): Response | Promise<Response> {
  const { headers } = response;
  if (headers.get("vary") !== "accept-encoding" || headers.has("content-encoding")) return response;
  if (!acceptsEncoding(request.headers.get("accept-encoding"), "gzip")) return response;
  return zipped(response);
}

async function zipped(response: Response): Promise<Response> {
  const plain = await response.bytes();
  const isShort = plain.byteLength <= MAX_AT_ONCE_BYTES;
  const bytes = isShort ? Bun.gzipSync(plain, { level: LEVEL }) : await compress(plain, { level: LEVEL });
  response.headers.set("content-encoding", "gzip");
  return new Response(new Uint8Array(bytes), response);
}
