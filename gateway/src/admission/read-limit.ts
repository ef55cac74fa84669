import type { Clock, RateState } from "../kit/index.ts";

const WINDOW_MS = 60_000;
/** Most organizations remembered; beyond that all counts are reset, which only errs in the callers' favor. */
const MAX_ORGANIZATIONS = 100_000;

type ReadDecision = { readonly ok: boolean; readonly rate: RateState };

export type ReadLimiter = {
  /** `requestsPerMinute` is the plan's limit; reads and polls may be ten times as many, per process. */
  admitRead(orgId: string, requestsPerMinute: number): ReadDecision;
};

/** Reads cost no credits, so they are counted in memory, without touching a row. */
export function createReadLimiter(clock: Clock): ReadLimiter {
  let windowStartMs = 0;
  const counts = new Map<string, number>();
  return {
    admitRead(orgId, requestsPerMinute) {
      const nowMs = clock.nowMs();
      const startMs = nowMs - (nowMs % WINDOW_MS);
      if (startMs !== windowStartMs || counts.size >= MAX_ORGANIZATIONS) {
        windowStartMs = startMs;
        counts.clear();
      }
      const count = counts.get(orgId) ?? 0;
      const limit = requestsPerMinute * 10;
      const ok = count < limit;
      if (ok) counts.set(orgId, count + 1);
      const remaining = Math.max(0, limit - count - 1);
      const resetSeconds = Math.ceil((startMs + WINDOW_MS - nowMs) / 1000);
      return { ok, rate: { limit, remaining, resetSeconds } };
    },
  };
}
