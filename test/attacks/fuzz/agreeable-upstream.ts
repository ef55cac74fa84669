import { completionWith, DONE, deltaFrame, ROLE, USAGE, usageFrame } from "../../upstream/chat-wire.ts";
import { MP3, PNG } from "../../upstream/media-samples.ts";

/** A provider that answers every request, so that a failure in a fuzz run is never the upstream's. */
type AgreeableUpstream = {
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** Number of calls that reached it. */
  readonly calls: number;
  close(): Promise<void>;
};

const REPLY = completionWith({
  choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
  usage: USAGE,
});
const FRAMES = [ROLE, deltaFrame({ content: "Yes." }), deltaFrame({}, "stop"), usageFrame(USAGE), DONE];

/** Serves chat, images and speech. Refuses the wires of other vendors in a way that does not count as an outage. */
export function startAgreeableUpstream(): AgreeableUpstream {
  let calls = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      calls++;
      const text = await request.text();
      return answer(new URL(request.url).pathname, text);
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    get calls() {
      return calls;
    },
    close: () => server.stop(true),
  };
}

function answer(path: string, body: string): Response {
  if (path.endsWith("/chat/completions")) {
    return /"stream":\s*true/.test(body)
      ? new Response(FRAMES.join(""), { headers: { "content-type": "text/event-stream" } })
      : new Response(REPLY, { headers: { "content-type": "application/json" } });
  }
  if (path.endsWith("/images/generations")) {
    return Response.json({ created: 1, data: [{ b64_json: Buffer.from(PNG).toString("base64") }] });
  }
  if (path.endsWith("/audio/speech")) return new Response(Uint8Array.from(MP3));
  return Response.json({ error: { message: "Not here.", type: "invalid_request_error" } }, { status: 400 });
}
