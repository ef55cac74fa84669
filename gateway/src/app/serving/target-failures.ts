import type { Catalog } from "../../catalog/index.ts";
import type { Config } from "../../config/index.ts";
import type { ProviderFailure, ProviderFailureKind } from "../../contract/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { Breaker, BreakerOptions } from "../../outbound/index.ts";
import type { Log, Metrics } from "../../telemetry/index.ts";
import { adviceOnKey } from "./refused-keys.ts";

const REPORT_AGAIN_MS = 60_000;
const TOP_UP =
  "The account at this provider has no credit left, or has reached its spending limit. Top it up or raise its limit at the provider.";
/** Targets come from the catalog; this bound matters only if that ever changes. */
const MAX_REMEMBERED = 16_384;

/** All other kinds blame the request, and its caller gets the error. */
const FAILURES: ReadonlySet<ProviderFailureKind> = new Set([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
]);

/**
 * If another target answers, no caller notices that the first one fails: a revoked key would only show in the second
 * provider's bill.
 */
export function reportTargetFailures(deps: {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly config: Pick<Config, "providers">;
  /** Whether calls keep away from a target; and whom it concerns, told once a minute while it fails on. */
  isDown(target: string): boolean;
  onDown(target: string): void;
}): NonNullable<BreakerOptions["onFailed"]> {
  const { log, metrics, clock, config } = deps;
  const failures = metrics.counter(
    "bursar_target_failures_total",
    "Calls that failed at a target, by kind of failure.",
    ["target", "kind"],
  );
  const reportedAtMs = new Map<string, number>();

  function isNew(key: string): boolean {
    const nowMs = clock.elapsedMs();
    const before = reportedAtMs.get(key);
    if (before !== undefined && nowMs - before < REPORT_AGAIN_MS) return false;
    if (reportedAtMs.size >= MAX_REMEMBERED) reportedAtMs.clear();
    reportedAtMs.set(key, nowMs);
    return true;
  }

  function adviceOn(target: string, { isUnpaid, reason }: ProviderFailure["detail"]): string | undefined {
    if (isUnpaid) return TOP_UP;
    const settings = config.providers.get(target.split("/")[0] ?? "");
    return reason === "provider_refused_our_key" && settings ? adviceOnKey(settings) : undefined;
  }

  return (target, { kind, detail }) => {
    const { status, internal: error, isUnpaid = false } = detail;
    if (!FAILURES.has(kind) || detail.isExcess || detail.targetHealth === "unknown") return;
    failures.bind({ target, kind }).inc();
    // Logged apart from other failures of its kind: a rate limit passes by itself, an unpaid account does not.
    if (isNew(`${isUnpaid ? "unpaid" : kind} ${target}`))
      log.warn("target_failed", { target, kind, status, error, advice: adviceOn(target, detail) });
    // Neither passes by itself, and the next target may hide both.
    const needsPerson = isUnpaid || kind === "unauthorized";
    if ((needsPerson || deps.isDown(target)) && isNew(`down ${target}`)) deps.onDown(target);
  };
}

/** One series per target of the catalog: 0 served, 1 being retried, 2 skipped. */
export function registerTargetGauges(metrics: Metrics, catalog: Catalog, breaker: Breaker): void {
  const states = { closed: 0, half_open: 1, open: 2 };
  const gauge = metrics.gauge(
    "bursar_target_state",
    "State of a target: 0 is used, 1 is being retried, 2 is skipped for all organizations.",
    { labels: ["target"], isShared: true },
  );
  for (const { targets } of catalog.models.values()) {
    for (const { provider, model } of targets) {
      const target = `${provider}/${model}`;
      gauge.bind({ target }).read(() => states[breaker.state(target)]);
    }
  }
}
