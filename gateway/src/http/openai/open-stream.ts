import type { ChatStream, ChatStreamPart } from "../../generation/index.ts";
import { replyToNobody, watchClient } from "../client-left.ts";
import type { Call } from "../context.ts";
import { eventSource, type Streaming } from "../stream-failure.ts";
import { markAnswer } from "./reply-headers.ts";

/** Encodes the parts of a stream as events of its wire. */
export type PartEncoder = {
  /** Complete events, each with its final blank line; empty if the part has nothing to send yet. */
  encode(part: ChatStreamPart): readonly string[];
};

/** `noteFailure` is called for an error inside the stream. A thrown error is reported by the caller. */
export type OpenStreamInput = Streaming & {
  readonly stream: ChatStream;
  readonly call: Call;
  readonly encoder: PartEncoder;
  /** How long the status is held back while the upstream is silent. */
  readonly keepAliveMs: number;
};

/**
 * Replies with a stream. The status is held back until the first part comes or `keepAliveMs` is over: a provider that
 * fails at once is then an HTTP error, which clients handle better than a stream that begins with one. Throws the error
 * if the first part is one.
 */
export async function openStream(input: OpenStreamInput): Promise<Response> {
  const { stream, call } = input;
  const pending = stream.next();
  const first = await firstOf(pending, call, input.keepAliveMs);
  if (first === LEFT) {
    void stream.leave();
    return replyToNobody(call.requestId);
  }
  if (first !== SILENCE && first?.type === "error") throw first.error;
  const source = eventSource({
    ...input,
    encode: (part) => input.encoder.encode(part),
    // If the upstream is silent, a comment is sent before the first part, so that the status goes out now.
    opening: (encode) =>
      first === SILENCE ? [() => [KEEP_ALIVE], () => pending.then(encode)] : [() => encode(first)],
  });
  return markAnswer(
    input.eventStreams.respond(call.requestId, source, () => call.streamEnded()),
    stream,
  );
}

const SILENCE = Symbol("nothing came in time");
const LEFT = Symbol("the client left");
const KEEP_ALIVE = ": keep-alive\n\n";

type First = ChatStreamPart | null | typeof SILENCE | typeof LEFT;

function firstOf(pending: Promise<ChatStreamPart | null>, call: Call, keepAliveMs: number): Promise<First> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(SILENCE), keepAliveMs);
    const unwatch = watchClient(call, () => end(LEFT));

    function end(first: First): void {
      clearTimeout(timer);
      unwatch();
      resolve(first);
    }

    // `stream.next()` never rejects.
    void pending.then(end);
  });
}
