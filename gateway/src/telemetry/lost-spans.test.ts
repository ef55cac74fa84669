import { expect, test } from "bun:test";
import { silentLog } from "./log.ts";
import { reportLostSpans } from "./lost-spans.ts";
import { createMetrics } from "./metrics.ts";

test("all lost spans are counted, and logged once a minute with their number", () => {
  const told: unknown[] = [];
  const log = { ...silentLog, warn: (_: string, fields = {}) => void told.push(fields) };
  const metrics = createMetrics();
  let timeMs = 0;
  const report = reportLostSpans({ log, metrics, collector: "otel:4318", nowMs: () => timeMs });
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  for (let i = 0; i < 3; i++) report(10, refused);
  timeMs += 60_000;
  report(5, Object.assign(new Error("Unauthorized"), { code: 401 }));
  report(5, undefined);
  timeMs += 60_000;
  report(1, new Error("Request timed out"));
  expect(told).toEqual([
    { collector: "otel:4318", spans: 10, error: "ECONNREFUSED" },
    { collector: "otel:4318", spans: 25, error: "401" },
    { collector: "otel:4318", spans: 6, error: "Request timed out" },
  ]);
  expect(metrics.render()).toContain("bursar_trace_spans_lost_total 41");
});
