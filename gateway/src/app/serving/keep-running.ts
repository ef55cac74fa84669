import { setTimeout as wait } from "node:timers/promises";

const MAX_RESTART_MS = 30_000;
/** A process that ran for this long restarts soon: its start was not what ended it. */
const STEADY_MS = 60_000;

/** How a process ended; without a code it could not be started, for lack of memory perhaps. */
type End = { readonly code?: number; readonly signal?: unknown; readonly error?: unknown };

/**
 * Lets a process run, and again whenever it ended: after pauses that are each twice as long as the last, up to half a
 * minute. `ended` hears of every end that was not wanted, and says whether to go on.
 */
export function keepRunning(run: () => Promise<End>, ended: (end: End) => boolean, firstMs = 500) {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function keepOn(): Promise<void> {
    for (let nextMs = firstMs; !signal.aborted; nextMs = Math.min(nextMs * 2, MAX_RESTART_MS)) {
      const startedMs = performance.now();
      const end = await run().catch((error: unknown) => ({ error }));
      if (signal.aborted || !ended(end)) return;
      if (performance.now() - startedMs > STEADY_MS) nextMs = firstMs;
      await wait(nextMs, null, { signal }).catch(() => {});
    }
  }

  return { done: keepOn(), stop: () => stopping.abort() };
}
