/** What one check of the event loop found. */
export type LoopLook = {
  /** How much later than planned the look came. */
  readonly lateMs: number;
  /** Since the last look. */
  readonly elapsedMs: number;
  /** Calls that ended since then. */
  readonly ended: number;
  readonly running: number;
};

/** How many calls may run at once, learned by watching the event loop and what it completes. */
export type LoadLimit = {
  readonly calls: number;
  observe(look: LoopLook): void;
};

type LoadLimitOptions = {
  readonly maxRunningCalls: number;
  /** So long the loop may have no rest before anybody is refused: a crowd that comes at once takes its time. */
  readonly troubleMs: number;
  /** What may wait after that: as much as is done in this time. Beyond it a caller had better come back. */
  readonly worthMs: number;
};

/** A loop that rests between two pieces of work is in time; one that never does has more to do than it can. */
const IN_TIME_MS = 3;
/** In a row: a loop that never rests is in time now and then by chance. */
const CALM_LOOKS = 5;
/** As many are always let in beside those that made no trouble. */
const FEWEST_CALLS = 256;
/** After this time, two thirds of what is believed of the pace are news. */
const MEMORY_MS = 500;
/** With each calm look: everything at once would let the crowd in that was kept out. */
const GROWTH = 1.1;

/**
 * Bounds the running calls by what the process completes, but only while its event loop never rests, and never below
 * what ran while it did rest: calls that wait for a slow model cost nothing and are no reason to refuse others.
 */
export function createLoadLimit({ maxRunningCalls, troubleMs, worthMs }: LoadLimitOptions): LoadLimit {
  let calls = maxRunningCalls;
  let calmLooks = 0;
  let calmRunning = 0;
  let restlessMs = 0;
  let endedPerMs = 0;
  return {
    get calls() {
      return calls;
    },
    observe({ lateMs, elapsedMs, ended, running }) {
      const news = 1 - Math.exp(-elapsedMs / MEMORY_MS);
      endedPerMs += (ended / elapsedMs - endedPerMs) * news;
      calmLooks = lateMs <= IN_TIME_MS ? calmLooks + 1 : 0;
      if (calmLooks >= CALM_LOOKS) {
        restlessMs = 0;
        calmRunning = running;
        calls = Math.min(maxRunningCalls, Math.ceil(calls * GROWTH));
        return;
      }
      restlessMs += elapsedMs;
      if (restlessMs < troubleMs || calmLooks > 0) return;
      const bearable = Math.max(endedPerMs * worthMs, calmRunning + FEWEST_CALLS);
      calls = Math.min(maxRunningCalls, Math.ceil(bearable));
    },
  };
}
