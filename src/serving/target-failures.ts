import type { Catalog } from "../catalog/index.ts";
import type { Clock } from "../kit/index.ts";
import type { Breaker, BreakerOptions, ProviderFailureKind } from "../providers/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";

const TELL_AGAIN_MS = 60_000;
const TOP_UP =
  "The account at this provider has no credit left, or has reached its spending limit. Top it up or raise its limit at the provider.";
/** Targets come from the catalog; the bound only holds if that ever changes. */
const MAX_REMEMBERED = 16_384;

/** The others blame the request, and its caller is told. */
const FAILURES: ReadonlySet<ProviderFailureKind> = new Set([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
]);

/**
 * Where another target answers, nobody who calls notices that the first one fails: a key that was revoked would be known
 * from the bill of the second.
 */
export function tellTargetFailures(deps: {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
}): NonNullable<BreakerOptions["onFailed"]> {
  const { log, metrics, clock } = deps;
  const failures = metrics.counter("bursar_target_failures_total", "Calls that a target failed, by how.", [
    "target",
    "kind",
  ]);
  const toldAtMs = new Map<string, number>();

  function isNew(key: string): boolean {
    const nowMs = clock.elapsedMs();
    const before = toldAtMs.get(key);
    if (before !== undefined && nowMs - before < TELL_AGAIN_MS) return false;
    if (toldAtMs.size >= MAX_REMEMBERED) toldAtMs.clear();
    toldAtMs.set(key, nowMs);
    return true;
  }

  return (target, { kind, detail }) => {
    const { status, internal: error, isUnpaid = false } = detail;
    if (!FAILURES.has(kind) || detail.scripted || detail.isExcess || detail.targetHealth === "unknown")
      return;
    failures.bind({ target, kind }).inc();
    // Apart from other failures of its kind: a limit passes by itself, and this does not.
    if (isNew(`${isUnpaid ? "unpaid" : kind} ${target}`))
      log.warn("target_failed", { target, kind, status, error, ...(isUnpaid ? { advice: TOP_UP } : {}) });
  };
}

/** One series per target of the catalog: 0 served, 1 being tried again, 2 passed over. */
export function registerTargetGauges(metrics: Metrics, catalog: Catalog, breaker: Breaker): void {
  const states = { closed: 0, half_open: 1, open: 2 };
  const gauge = metrics.gauge(
    "bursar_target_state",
    "Is a target served (0), tried again (1) or passed over (2)?",
    { labels: ["target"], isShared: true },
  );
  for (const { targets } of catalog.models.values()) {
    for (const { provider, model } of targets) {
      const target = `${provider}/${model}`;
      gauge.bind({ target }).read(() => states[breaker.state(target)]);
    }
  }
}
