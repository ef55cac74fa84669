export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Wall time and timers of this process: deadlines, latencies, logs. Code that handles money never uses this clock; it
 * uses `bursar_now()` in the database.
 */
export type Clock = {
  nowMs(): number;
  /** Monotonic, for durations. */
  elapsedMs(): number;
};

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
};
