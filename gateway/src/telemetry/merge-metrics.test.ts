import { expect, test } from "bun:test";
import { mergeCounters } from "./merge-metrics.ts";
import { createMetrics } from "./metrics.ts";

/** One process with what it has counted. */
function processWith(calls: Readonly<Record<string, number>>, seconds: readonly number[], faults: number) {
  const metrics = createMetrics();
  const counter = metrics.counter("calls_total", "Calls.", ["status"]);
  for (const [status, count] of Object.entries(calls)) counter.bind({ status }).inc(count);
  const latency = metrics.histogram("seconds", "Time.", { buckets: [0.1, 1] });
  for (const each of seconds) latency.observe(each);
  metrics.gauge("running", "Running.").set(2);
  metrics.gauge("faults", "Faults.", { isShared: true }).set(faults);
  return metrics;
}

test("merged metrics add counters and gauges; shared gauges count once", () => {
  const one = processWith({ ok: 3, "a b": 1 }, [0.05, 0.5], 4);
  const others = [processWith({ ok: 2 }, [5], 1), processWith({ ok: 1, failed: 7 }, [], 4)];
  expect(one.merge([one, ...others].map((each) => each.render()))).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{status="ok"} 6
calls_total{status="a b"} 1
calls_total{status="failed"} 7
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 1
seconds_bucket{le="1"} 2
seconds_bucket{le="+Inf"} 3
seconds_sum 5.55
seconds_count 3
# HELP running Running.
# TYPE running gauge
running 6
# HELP faults Faults.
# TYPE faults gauge
faults 4
`);
});

test("merged metrics of one process are its own", () => {
  const one = processWith({ ok: 3 }, [0.05], 0);
  expect(one.merge([one.render()])).toBe(one.render());
});

test("merged metrics include those that only another process has", () => {
  const other = createMetrics();
  other.counter("theirs_total", "Theirs.").inc(5);
  expect(createMetrics().merge([createMetrics().render(), other.render()])).toBe(other.render());
});

test("mergeCounters adds counters and histograms and leaves gauges out", () => {
  const texts = [processWith({ ok: 3 }, [0.05], 4), processWith({ ok: 2 }, [], 1)].map((each) =>
    each.render(),
  );
  expect(mergeCounters(texts)).toBe(`# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{status="ok"} 5
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 1
seconds_bucket{le="1"} 1
seconds_bucket{le="+Inf"} 1
seconds_sum 0.05
seconds_count 1
`);
  expect(mergeCounters(["", ""])).toBe("");
});
