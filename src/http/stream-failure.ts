import type { ChatStream } from "../generation/index.ts";
import type { AppError } from "../kit/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { EventStreams } from "./event-stream.ts";
import type { Refusals } from "./refusal.ts";

/**
 * Of a call that failed after the head of its reply was sent, for the operator: its line in the log says 200, and only
 * its client reads the error that stands in the stream.
 */
export type NoteStreamFailure = (stream: ChatStream, error: AppError) => void;

/** What every endpoint is given that answers in streams. */
export type Streaming = { readonly eventStreams: EventStreams; readonly noteFailure: NoteStreamFailure };

export function createStreamFailureNote(refusals: Refusals, metrics: Metrics): NoteStreamFailure {
  const refused = metrics.counter("bursar_http_refusals_total", "Error replies by code.", ["code"]);
  return ({ requestId, model }, error) => {
    const { code } = refusals.asAppError(error, requestId, model);
    refused.bind({ code }).inc();
  };
}
