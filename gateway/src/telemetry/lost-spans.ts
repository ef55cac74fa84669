import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

const REPORT_AGAIN_MS = 60_000;
const MAX_ERROR_CHARACTERS = 200;

/**
 * Reports spans that were lost. The library itself reports them only to a logger that it is given, and then for every
 * attempt.
 */
export function reportLostSpans(deps: {
  readonly log: Log;
  readonly metrics: Metrics;
  /** The collector's host. */
  readonly collector: string;
  readonly nowMs?: () => number;
}): (spans: number, error: unknown) => void {
  const { log, metrics, collector, nowMs = () => performance.now() } = deps;
  const lost = metrics.counter("bursar_trace_spans_lost_total", "Spans that the collector did not accept.");
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  return (spans, error) => {
    lost.inc(spans);
    unreported += spans;
    if (nowMs() - reportedAtMs < REPORT_AGAIN_MS) return;
    log.warn("traces_failed", { collector, spans: unreported, error: wordOf(error) });
    reportedAtMs = nowMs();
    unreported = 0;
  };
}

/** A status or system error code; the message only if there is neither, and never a response body. */
function wordOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" || typeof code === "number") return String(code);
  return error.message.slice(0, MAX_ERROR_CHARACTERS);
}
