import { expect, test } from "bun:test";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { createPaymentAlerts } from "./payment-alerts.ts";

test("every alert is counted from zero, so that a rate shows the first one", () => {
  const metrics = createMetrics();
  const alert = createPaymentAlerts({ log: silentLog, metrics });
  expect(metrics.render()).toContain('bursar_payment_alerts_total{reason="unreadable"} 0');
  alert("unreadable", {});
  expect(metrics.render()).toContain('bursar_payment_alerts_total{reason="unreadable"} 1');
  expect(metrics.render()).toContain('bursar_payment_alerts_total{reason="period_over"} 0');
});
