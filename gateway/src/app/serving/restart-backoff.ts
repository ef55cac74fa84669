const MAX_RESTART_MS = 30_000;
/** A process that ran for this long restarts soon: its start was not what ended it. */
const STEADY_MS = 60_000;

/** The pauses before a process that ended is started again: each twice as long as the last, up to half a minute. */
export function createRestartBackoff(firstMs: number) {
  let nextMs = firstMs;
  let wake = () => {};
  return {
    /** Resolves early once woken. */
    async wait(ranMs: number): Promise<void> {
      if (ranMs > STEADY_MS) nextMs = firstMs;
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      const timer = setTimeout(wake, nextMs);
      nextMs = Math.min(nextMs * 2, MAX_RESTART_MS);
      await woken.promise;
      clearTimeout(timer);
    },
    wake: () => wake(),
  };
}
