import { describe, expect, test } from "bun:test";
import { createMetrics } from "./metrics.ts";

describe("metrics", () => {
  test("render counters, gauges and histograms in Prometheus' text format", () => {
    const metrics = createMetrics();
    const calls = metrics.counter("calls_total", "Calls.", ["route", "status"]);
    calls.bind({ route: "chat", status: "200" }).inc();
    calls.bind({ route: "chat", status: "200" }).inc(2);
    metrics.gauge("waiting", "Waiting now.").read(() => 7);
    const latency = metrics.histogram("latency_seconds", "Latency.", { buckets: [0.1, 1] });
    for (const value of [0.05, 0.1, 0.5, 3]) latency.observe(value);
    expect(metrics.render()).toBe(
      `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{route="chat",status="200"} 3
# HELP waiting Waiting now.
# TYPE waiting gauge
waiting 7
# HELP latency_seconds Latency.
# TYPE latency_seconds histogram
latency_seconds_bucket{le="0.1"} 2
latency_seconds_bucket{le="1"} 3
latency_seconds_bucket{le="+Inf"} 4
latency_seconds_sum 3.65
latency_seconds_count 4
`,
    );
  });

  test("escape label values", () => {
    const metrics = createMetrics();
    metrics.counter("c", "C.", ["model"]).bind({ model: 'a"b\\c\nd' }).inc();
    expect(metrics.render()).toContain('c{model="a\\"b\\\\c\\nd"} 1\n');
  });

  test("return the first instrument for a repeated name, and refuse another kind or a wrong name", () => {
    const metrics = createMetrics();
    metrics.counter("c", "C.").inc();
    metrics.counter("c", "C.").inc();
    expect(metrics.render()).toContain("c 2\n");
    expect(() => metrics.gauge("c", "C.")).toThrow("is a counter");
    expect(() => metrics.counter("not a name", "")).toThrow("not a metric name");
  });

  test("keep a limited number of series, however many labels there are", () => {
    const metrics = createMetrics();
    const counter = metrics.counter("c", "C.", ["model"]);
    for (let i = 0; i < 10_000; i++) counter.bind({ model: `m${i}` }).inc();
    const lines = metrics.render().trim().split("\n");
    expect(lines.length).toBeLessThan(510);
    const total = lines.slice(2).reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    expect(total).toBe(10_000);
    expect(metrics.render()).toContain('c{model="other"}');
  });

  test("a counter never falls and ignores NaN", () => {
    const metrics = createMetrics();
    const counter = metrics.counter("c", "C.");
    counter.inc(2);
    counter.inc(-1);
    counter.inc(Number.NaN);
    metrics.histogram("h", "H.").observe(Number.NaN);
    expect(metrics.render()).toContain("c 2\n");
    expect(metrics.render()).toContain("h_count 0\n");
  });
});
