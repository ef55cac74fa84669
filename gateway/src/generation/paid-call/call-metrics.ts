import type { Credits } from "../../kit/index.ts";
import type { Counter, Metrics } from "../../telemetry/index.ts";

type Status = "succeeded" | "failed" | "cancelled";

/** Metrics of paid calls; never labelled by organization. */
export type CallMetrics = {
  ended(endpoint: string, status: Status, charged: Credits): void;
  refused(endpoint: string, outcome: string): void;
  writtenOff(amount: Credits): void;
  /** The provider reported usage that cannot be true. */
  disbelieved(): void;
};

export function createCallMetrics(metrics: Metrics): CallMetrics {
  const ended = metrics.counter("bursar_paid_calls_total", "Paid calls, by how they ended.", [
    "endpoint",
    "status",
  ]);
  const refused = metrics.counter("bursar_refused_calls_total", "Calls refused at admission, by reason.", [
    "endpoint",
    "outcome",
  ]);
  const charged = metrics.counter("bursar_credits_charged_total", "Credits charged.");
  const writtenOff = metrics.counter(
    "bursar_credits_written_off_total",
    "Credits not charged, because a call cost more than was held and available.",
  );
  const disbelieved = metrics.counter(
    "bursar_usage_disbelieved_total",
    "Usage reports from providers that were not believed.",
  );
  const bound = new Map<string, Counter>();

  function labelled(counter: Counter, endpoint: string, name: "status" | "outcome", value: string): Counter {
    const key = `${name}:${endpoint}:${value}`;
    return bound.getOrInsertComputed(key, () => counter.bind({ endpoint, [name]: value }));
  }

  return {
    ended(endpoint, status, amount) {
      labelled(ended, endpoint, "status", status).inc();
      charged.inc(amount);
    },
    refused: (endpoint, outcome) => labelled(refused, endpoint, "outcome", outcome).inc(),
    writtenOff: (amount) => writtenOff.inc(amount),
    disbelieved: () => disbelieved.inc(),
  };
}
