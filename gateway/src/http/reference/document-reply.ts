import { textReply } from "../reply.ts";

/** Built and compressed when first asked for: a gateway whose reference nobody reads never pays for it. */
export function documentReplies(build: () => unknown) {
  let kept: { readonly plain: string; readonly gzipped: Uint8Array<ArrayBuffer> } | null = null;
  return (requestId: string, isGzipped: boolean): Response => {
    if (kept === null) {
      const plain = JSON.stringify(build());
      kept = { plain, gzipped: Bun.gzipSync(plain) };
    }
    const response = textReply(requestId, isGzipped ? kept.gzipped : kept.plain);
    response.headers.set("vary", "accept-encoding");
    if (isGzipped) response.headers.set("content-encoding", "gzip");
    return response;
  };
}
