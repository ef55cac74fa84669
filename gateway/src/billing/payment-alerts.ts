import type { Log, Metrics } from "../telemetry/index.ts";

/**
 * Cases that a person must look into: money that came in but does not match our records, that may come in unnoticed, or
 * that bounced back.
 */
const PAYMENT_ALERTS = [
  "amount_differs",
  "currency_differs",
  "organization_differs",
  "checkout_differs",
  "order_differs",
  "mode_differs",
  "unreadable",
  "period_over",
  "subscription_replaced",
  "subscription_unknown",
  "refund_failed",
  "draft_not_stopped",
] as const;

export type PaymentAlert = (typeof PAYMENT_ALERTS)[number];

export type PaymentAlerts = (
  reason: PaymentAlert,
  details: Readonly<Record<string, string | number | null>>,
) => void;

export function createPaymentAlerts({ log, metrics }: { log: Log; metrics: Metrics }): PaymentAlerts {
  const alerts = metrics.counter(
    "bursar_payment_alerts_total",
    "Payments and refunds that need a person, by reason.",
    ["reason"],
  );
  // Create every series at 0: one that first appears with its first alert shows no rate, and alarms watch the rate.
  for (const reason of PAYMENT_ALERTS) alerts.bind({ reason });
  return (reason, details) => {
    alerts.bind({ reason }).inc();
    log.error("payment_alert", { reason, ...details });
  };
}
