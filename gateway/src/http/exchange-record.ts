import type { ErrorCode } from "../kit/index.ts";
import type { Counter, Histogram, Log, Metrics } from "../telemetry/index.ts";

/** How one request ended, for the log and the metrics. Only `clientId` was written by the client. */
type ExchangeEnd = {
  readonly requestId: string;
  /** See `clientIdOf`. */
  readonly clientId?: string | undefined;
  /** For requests that matched no route: their method, and the name of what they missed, of a closed set. */
  readonly method?: string | undefined;
  readonly missed?: string | undefined;
  readonly status: number;
  readonly elapsedMs: number;
  readonly code?: ErrorCode | undefined;
  readonly organizationId?: string | undefined;
  readonly keyId?: string | undefined;
  /** The model's id in the catalog, even if an alias was requested. */
  readonly model?: string | undefined;
};

/** `method` and `route` as in the route table; `none` for requests that matched no route. */
export type RouteLabels = { readonly method: string; readonly route: string };

export type ExchangeRecorder = (end: ExchangeEnd) => void;

export function refusalCounter(metrics: Metrics) {
  return metrics.counter(
    "bursar_http_refusals_total",
    "Error replies, and streams that failed after their 200, by error code.",
    ["code"],
  );
}

/** One recorder per route with its metric series already bound, so that the hot path only increments. */
export function createExchangeRecorders(
  metrics: Metrics,
  log: Log,
): (labels: RouteLabels) => ExchangeRecorder {
  const requests = metrics.counter("bursar_http_requests_total", "Requests answered.", [
    "method",
    "route",
    "status",
  ]);
  const seconds = metrics.histogram(
    "bursar_http_request_seconds",
    "Time to the response headers, in seconds.",
    {
      labels: ["method", "route"],
    },
  );
  const refusals = refusalCounter(metrics);

  return ({ method, route }) => {
    const duration: Histogram = seconds.bind({ method, route });
    // Bounded: statuses are a closed set.
    const byStatus = new Map<number, Counter>();

    return (end) => {
      const { status } = end;
      byStatus
        .getOrInsertComputed(status, () => requests.bind({ method, route, status: String(status) }))
        .inc();
      duration.observe(end.elapsedMs / 1000);
      if (end.code) refusals.bind({ code: end.code }).inc();
      log.info("request", {
        request_id: end.requestId,
        client_request_id: end.clientId,
        method: end.method ?? method,
        route,
        missed: end.missed,
        status,
        ms: Math.round(end.elapsedMs * 10) / 10,
        org_id: end.organizationId,
        key_id: end.keyId,
        model: end.model,
        code: end.code,
      });
    };
  };
}
