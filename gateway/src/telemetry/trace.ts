import { atMost } from "../kit/index.ts";
import type { Log } from "./log.ts";
import { reportLostSpans } from "./lost-spans.ts";
import type { Metrics } from "./metrics.ts";
import { traceResource } from "./trace-resource.ts";

/** One timed step of a request. Attributes are short facts of our own: never a key, a prompt or an output. */
export type Span = {
  child(name: string): Span;
  set(name: string, value: string | number | boolean): void;
  /** Call once per span. `failure` is one of our error codes and marks the span as failed. */
  end(failure?: string): void;
};

export type Tracer = {
  /** False for the no-op tracer, so that hot paths can skip collecting attributes. */
  readonly enabled: boolean;
  /** `traceparent` is the caller's W3C header; a malformed one starts a new trace. */
  start(name: string, traceparent?: string | null): Span;
  /** Sends what is waiting, but gives up after CLOSE_TIMEOUT_MS. */
  close(): Promise<void>;
};

export const noopSpan: Span = { child: () => noopSpan, set: () => {}, end: () => {} };

export const noopTracer: Tracer = { enabled: false, start: () => noopSpan, close: async () => {} };

type TracerOptions = {
  /** The OTEL_* settings. Without an endpoint nothing is loaded and tracing costs nothing. */
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  log: Log;
  metrics: Metrics;
};

export async function createTracer(options: TracerOptions): Promise<Tracer> {
  const endpoint = tracesEndpoint(options.env);
  if (endpoint === null) return noopTracer;
  if ("wrong" in endpoint) {
    options.log.warn("tracing_unavailable", { error: endpoint.wrong });
    return noopTracer;
  }
  try {
    return await startTracer(endpoint.url, options);
  } catch (error) {
    // The packages are optional: without them the gateway runs without tracing.
    options.log.warn("tracing_unavailable", { error });
    return noopTracer;
  }
}

const TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

/**
 * Where spans are sent; null if tracing is off. An invalid value is not shown: it may be a secret in the wrong place.
 */
export function tracesEndpoint(
  env: TracerOptions["env"],
): { readonly url: string } | { readonly wrong: string } | null {
  const name = env[TRACES_ENDPOINT] ? TRACES_ENDPOINT : ENDPOINT;
  const given = env[name];
  if (!given || isWord(env["OTEL_SDK_DISABLED"], "true") || isWord(env["OTEL_TRACES_EXPORTER"], "none"))
    return null;
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? "")) {
    return { wrong: `${name} must be an http or https address` };
  }
  return { url: name === ENDPOINT ? `${given.replace(/\/+$/, "")}/v1/traces` : given };
}

function isWord(given: string | undefined, word: string): boolean {
  return given?.trim().toLowerCase() === word;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const CLOSE_TIMEOUT_MS = 5_000;

async function startTracer(url: string, options: TracerOptions): Promise<Tracer> {
  const api = await import("@opentelemetry/api");
  const sdk = await import("@opentelemetry/sdk-trace-base");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");

  const { attributes, wrong } = traceResource(options.env, options.version);
  const { log, metrics } = options;
  if (wrong !== null) log.warn("tracing_attributes_unreadable", { error: wrong });
  const reportLost = reportLostSpans({ log, metrics, collector: new URL(url).host });
  const exporter = new OTLPTraceExporter({ url });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes(attributes),
    // The batch processor's queue is bounded (2,048 spans) and drops spans instead of waiting.
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        export(spans, done) {
          exporter.export(spans, (result) => {
            if (result.code !== 0) reportLost(spans.length, result.error);
            done(result);
          });
        },
        forceFlush: () => exporter.forceFlush(),
        shutdown: () => exporter.shutdown(),
      }),
    ],
  });
  const tracer = provider.getTracer("bursar", options.version);
  type Context = typeof api.ROOT_CONTEXT;

  function span(name: string, context: Context, kind: number): Span {
    const inner = tracer.startSpan(name, { kind }, context);
    return {
      child: (childName) => span(childName, api.trace.setSpan(context, inner), api.SpanKind.INTERNAL),
      set: (attribute, value) => void inner.setAttribute(attribute, value),
      end(failure) {
        if (failure) inner.setStatus({ code: api.SpanStatusCode.ERROR, message: failure });
        inner.end();
      },
    };
  }

  function parentOf(traceparent: string | null | undefined): Context {
    const match = traceparent ? TRACEPARENT.exec(traceparent) : null;
    const [, traceId = "", spanId = "", flags = "00"] = match ?? [];
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    if (!api.isSpanContextValid(parent)) return api.ROOT_CONTEXT;
    return api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
  }

  return {
    enabled: true,
    start: (name, traceparent) => span(name, parentOf(traceparent), api.SpanKind.SERVER),
    async close() {
      const shutdown = provider
        .shutdown()
        .catch((error) => options.log.warn("tracing_close_failed", { error }));
      await atMost(shutdown, CLOSE_TIMEOUT_MS);
    },
  };
}
