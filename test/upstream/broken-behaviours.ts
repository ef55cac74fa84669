import { type Behaviours, type Call, numberOf } from "./behaviour.ts";
import { DONE, errorBody, frame, goodFrames, STREAM_HEAD } from "./chat-wire.ts";
import { chunked, LAST_CHUNK } from "./raw-http.ts";
import { answerResponse } from "./scripted-responses.ts";

/** Long enough that what was sent before is read separately. */
const PAUSE_MS = 50;
const FAILURE = { message: "The server died at 10.1.2.3", type: "server_error", code: "server_error" };

type Break = (call: Call) => void;

/** How a stream can go wrong, in the format of the call's wire where the two differ. */
const BREAKS: Readonly<Record<string, Break>> = {
  reset: ({ socket }) => void socket.resetAndDestroy(),
  close: ({ socket }) => void socket.end(),
  end: (call) => call.write(LAST_CHUNK),
  done: (call) => finish(call, DONE),
  malformed: (call) => finish(call, "data: {not json\n\n"),
  page: (call) => finish(call, "<!doctype html><title>Bad gateway</title>\n\n"),
  error: (call) =>
    finish(call, isResponses(call) ? event("error", FAILURE) : frame(errorBody(FAILURE.message, FAILURE))),
  failed: (call) => finish(call, event("response.failed", { response: failedResponse() })),
};

/** Good up to a point and then broken, whether or not a stream was requested. */
export const BROKEN_BEHAVIOURS: Behaviours = {
  broken: {
    about: `broken:KIND:N, N (0) frames of a good stream of the wire that was asked, a pause, then ${Object.keys(BREAKS).join(", ")}`,
    async answer(call) {
      const frames = isResponses(call) ? answerResponse({ input: "Hello", stream: true }) : goodFrames();
      const sent = frames.slice(0, numberOf(call, 1, 0)).join("");
      call.write(STREAM_HEAD);
      if (sent !== "") {
        call.write(chunked(sent));
        await Bun.sleep(PAUSE_MS);
      }
      BREAKS[call.args[0] ?? ""]?.(call);
    },
  },
};

function isResponses({ request }: Call): boolean {
  return request.path.endsWith("/responses");
}

function finish(call: Call, text: string): void {
  call.write(chunked(text));
  call.write(LAST_CHUNK);
}

function event(type: string, fields: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ ...fields, type })}\n\n`;
}

function failedResponse(): object {
  return { id: "resp_upstream1", object: "response", status: "failed", output: [], error: FAILURE };
}
