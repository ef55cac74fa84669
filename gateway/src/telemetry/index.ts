/**
 * What the process reports about itself: JSON log lines, Prometheus metrics, OpenTelemetry spans.
 * Refuses to know organizations, prompts and outputs: no label names an organization, no line carries a key, and
 * anything that looks like one is redacted before it is written.
 * Invariants: one log event is one line; every string, buffer and set of labels is bounded; telemetry never throws into
 * its caller.
 */
export { logWritten } from "./line-sink.ts";
export { createLog, LOG_LEVELS, type Log, silentLog } from "./log.ts";
export { mergeCounters } from "./merge-metrics.ts";
export { type Counter, createMetrics, type Histogram, type Metrics } from "./metrics.ts";
export { METRICS_CONTENT_TYPE } from "./prometheus-text.ts";
export { createTracer, noopSpan, noopTracer, type Span, type Tracer, tracesEndpoint } from "./trace.ts";
