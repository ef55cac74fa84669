import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { silentLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createTracer, noopTracer } from "./trace.ts";

type Sent = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
};

/** A collector that understands just enough of OTLP over HTTP. */
function startCollector() {
  const spans: Sent[] = [];
  const services = new Set<string>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
      const body = (await request.json()) as {
        resourceSpans: {
          resource: { attributes: { key: string; value: { stringValue: string } }[] };
          scopeSpans: { spans: Sent[] }[];
        }[];
      };
      for (const resource of body.resourceSpans) {
        for (const { key, value } of resource.resource.attributes) {
          if (key === "service.name") services.add(value.stringValue);
        }
        for (const scope of resource.scopeSpans) spans.push(...scope.spans);
      }
      return Response.json({});
    },
  });
  return { spans, services, server, endpoint: `http://127.0.0.1:${server.port}` };
}

describe("tracing", () => {
  let collector: ReturnType<typeof startCollector>;
  beforeAll(() => {
    collector = startCollector();
  });
  afterAll(() => collector.server.stop(true));

  test("is a no-op without an endpoint, or if it is disabled", async () => {
    expect(await createTracer({ env: {}, version: "1", log: silentLog, metrics: createMetrics() })).toBe(
      noopTracer,
    );
    const not = { OTEL_SDK_DISABLED: ["true", "TRUE"], OTEL_TRACES_EXPORTER: ["none", "None"] };
    for (const [name, values] of Object.entries(not)) {
      for (const value of values) {
        const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, [name]: value };
        expect(await createTracer({ env, version: "1", log: silentLog, metrics: createMetrics() })).toBe(
          noopTracer,
        );
      }
    }
    const span = noopTracer.start("request");
    span.child("hold").end("failed");
    span.end();
  });

  test("reports an endpoint that is not an address, and is a no-op", async () => {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
    for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) {
      expect(
        await createTracer({ env: { [name]: "foo" }, version: "1", log, metrics: createMetrics() }),
      ).toBe(noopTracer);
      expect(warned.pop()).toEqual([
        "tracing_unavailable",
        { error: `${name} must be an http or https address` },
      ]);
    }
  });

  test("reports lost spans with the collector's name, without its response or password", async () => {
    using refusing = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: () => new Response("canary", { status: 401 }),
    });
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
    const metrics = createMetrics();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:canary@127.0.0.1:${refusing.port}` };
    const tracer = await createTracer({ env, version: "1", log, metrics });
    tracer.start("request").end();
    tracer.start("request").end();
    await tracer.close();
    expect(warned[0]).toEqual([
      "traces_failed",
      { collector: `127.0.0.1:${refusing.port}`, spans: 2, error: "401" },
    ]);
    expect(metrics.render()).toContain("bursar_trace_spans_lost_total 2");
  });

  test("sends a request's span with its children, continues the caller's trace and marks failures", async () => {
    const tracer = await createTracer({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
        OTEL_RESOURCE_ATTRIBUTES: "service.name=theirs",
        OTEL_TRACES_EXPORTER: "otlp",
      },
      version: "1",
      log: silentLog,
      metrics: createMetrics(),
    });
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const request = tracer.start("request", `00-${traceId}-b7ad6b7169203331-01`);
    request.set("http.route", "/x");
    request.child("hold").end();
    request.child("provider").end("provider_failed");
    request.end();
    tracer.start("other", "00-nonsense").end();
    await tracer.close();

    const byName = new Map(collector.spans.map((span) => [span.name, span]));
    const root = byName.get("request");
    expect(root).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331" });
    expect(byName.get("hold")).toMatchObject({ traceId, parentSpanId: root?.spanId ?? "" });
    expect(byName.get("provider")?.status.code).toBe(2);
    expect(byName.get("other")?.traceId).not.toBe(traceId);
    expect([...collector.services]).toEqual(["theirs"]);
  });
});
