import type { Recording } from "./recording.ts";

/** The most pieces that a body is sent in; where it is cut must not matter. */
const MAX_PIECES = 12;

type ReplayServer = { readonly port: number; stop(): Promise<void> };

/** Answers `/AT/…` with recording number AT, byte for byte, cut at odd places. */
export function startReplayServer(recordings: readonly Recording[]): ReplayServer {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      await request.arrayBuffer();
      const at = Number(new URL(request.url).pathname.split("/")[1]);
      const recording = recordings[at];
      if (recording === undefined) return new Response(null, { status: 410 });
      const { status, contentType, body } = recording;
      return new Response(inPieces(body, at), { status, headers: { "content-type": contentType } });
    },
  });
  return { port: server.port ?? 0, stop: () => server.stop(true) };
}

function inPieces(body: Uint8Array, seed: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / MAX_PIECES) + (seed % 7));
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent >= body.length) return controller.close();
      controller.enqueue(body.slice(sent, sent + size));
      sent += size;
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
}
