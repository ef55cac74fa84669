import { SLOWLY } from "./scripted-answer.ts";
import { answerChat, unknownInParts } from "./scripted-chat.ts";
import { answerResponse } from "./scripted-responses.ts";

const SLOW_PAUSE_MS = 5;

type Json = Readonly<Record<string, unknown>>;

export type ScriptedUpstream = {
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** Requests, in the order of arrival. */
  readonly received: readonly { readonly path: string; readonly body: Json }[];
  close(): Promise<void>;
};

/**
 * A well-behaved server of both OpenAI wires, with a model that does what its prompt says (`scripted-answer.ts`). For
 * tests of content, such as tool calls; `misbehaving-upstream.ts` is for tests of faults.
 */
export function startScriptedUpstream(port = 0): ScriptedUpstream {
  const received: { path: string; body: Json }[] = [];
  const server = Bun.serve({
    port,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const text = await request.text();
      const body = JSON.parse(text) as Json;
      const pauseMs = text.includes(SLOWLY) ? SLOW_PAUSE_MS : 0;
      received.push({ path, body });
      const isResponse = path.endsWith("/responses");
      const unknown = isResponse ? null : unknownInParts(body);
      if (unknown !== null) {
        const error = {
          message: `Unknown parameter: '${unknown}'.`,
          type: "invalid_request_error",
          param: unknown,
        };
        return Response.json({ error: { ...error, code: "unknown_parameter" } }, { status: 400 });
      }
      const pieces = isResponse ? answerResponse(body) : answerChat(body);
      const isStream = body["stream"] === true;
      return new Response(isStream ? streamOf(pieces, pauseMs) : (pieces[0] ?? ""), {
        headers: { "content-type": isStream ? "text/event-stream" : "application/json" },
      });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    received,
    close: () => server.stop(true),
  };
}

/** One frame at a time, so that clients cannot rely on several arriving together. */
function streamOf(frames: readonly string[], pauseMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(pauseMs);
      const frame = frames[next++];
      if (frame === undefined) controller.close();
      else controller.enqueue(encoder.encode(frame));
    },
  });
}
