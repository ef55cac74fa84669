import { expect, test } from "bun:test";
import { createLog, createMetrics } from "../../telemetry/index.ts";
import { reportFailedBatches } from "./failed-batches.ts";

test("a failed batch is counted and logged, unless the database is away", () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog({
    level: "warn",
    keyPrefix: "svc_live_",
    sink: { write, flush() {}, async end() {} },
  });
  const metrics = createMetrics();
  const tell = reportFailedBatches("settlements", { log, metrics });
  tell(Object.assign(new Error("Connection closed"), { code: "08006" }), 3);
  expect(lines).toEqual([]);
  expect(metrics.render()).toContain('bursar_batches_failed_total{of="settlements"} 0');
  tell(new Error("function ledger_settle does not exist"), 2);
  expect(lines).toMatchObject([
    { level: "error", of: "settlements", calls: 2, error: "Error: function ledger_settle does not exist" },
  ]);
  expect(metrics.render()).toContain('bursar_batches_failed_total{of="settlements"} 1');
});
