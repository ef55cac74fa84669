import type { ChatStream, ChatStreamPart } from "../generation/index.ts";
import type { AppError } from "../kit/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { EventSource, EventStreams, Events } from "./event-stream.ts";
import { refusalCounter } from "./exchange-record.ts";
import type { Refusals } from "./refusal.ts";

/**
 * Reports a call that failed after its response head was sent, for the operator: its line in the log says 200, and
 * only the client reads the error in the stream.
 */
export type NoteStreamFailure = (stream: ChatStream, error: AppError) => void;

/** What every endpoint that can answer with a stream is given. */
export type Streaming = { readonly eventStreams: EventStreams; readonly noteFailure: NoteStreamFailure };

export function createStreamFailureNote(refusals: Refusals, metrics: Metrics): NoteStreamFailure {
  const refused = refusalCounter(metrics);
  return ({ requestId, model }, error) => {
    const { code } = refusals.asAppError(error, requestId, model);
    refused.bind({ code }).inc();
  };
}

type Encode = (part: ChatStreamPart | null) => Events;

/**
 * A stream's parts as events of its wire. `opening` is what comes first, one batch after another; a failure is noted
 * unless the reader has left by then.
 */
export function eventSource(input: {
  readonly stream: ChatStream;
  readonly noteFailure: NoteStreamFailure;
  encode(part: ChatStreamPart): readonly string[];
  opening(encode: Encode): (() => Events | Promise<Events>)[];
}): EventSource {
  const { stream, noteFailure } = input;
  let hasLeft = false;
  const encode: Encode = (part) => {
    if (part === null) return null;
    if (part.type === "error" && !hasLeft) noteFailure(stream, part.error);
    return input.encode(part);
  };
  const opening = input.opening(encode);
  return {
    next() {
      const first = opening.shift();
      return first === undefined ? stream.next().then(encode) : first();
    },
    leave() {
      hasLeft = true;
      void stream.leave();
    },
  };
}
