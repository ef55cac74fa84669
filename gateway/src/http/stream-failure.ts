import type { ChatStream } from "../generation/index.ts";
import type { AppError } from "../kit/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { EventStreams } from "./event-stream.ts";
import type { Refusals } from "./refusal.ts";

/**
 * Reports a call that failed after its response head was sent, for the operator: its line in the log says 200, and
 * only the client reads the error in the stream.
 */
export type NoteStreamFailure = (stream: ChatStream, error: AppError) => void;

/** What every endpoint that can answer with a stream is given. */
export type Streaming = { readonly eventStreams: EventStreams; readonly noteFailure: NoteStreamFailure };

export function createStreamFailureNote(refusals: Refusals, metrics: Metrics): NoteStreamFailure {
  const refused = metrics.counter(
    "bursar_http_refusals_total",
    "Error replies, and streams that failed after their 200, by error code.",
    ["code"],
  );
  return ({ requestId, model }, error) => {
    const { code } = refusals.asAppError(error, requestId, model);
    refused.bind({ code }).inc();
  };
}
