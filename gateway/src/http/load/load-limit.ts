/** What one check of the event loop found. */
export type LoopSample = {
  /** How much later than planned the sample was taken. */
  readonly lateMs: number;
  /** Since the previous sample. */
  readonly elapsedMs: number;
  /** Calls that ended since then. */
  readonly ended: number;
  readonly running: number;
};

/** How many calls may run at once, learned by watching the event loop and what it completes. */
export type LoadLimit = {
  readonly calls: number;
  observe(sample: LoopSample): void;
};

type LoadLimitOptions = {
  readonly maxRunningCalls: number;
  /** How long the loop may be busy without a pause before calls are refused: a burst needs time to be worked off. */
  readonly troubleMs: number;
  /** Once calls are refused, as many may wait as complete in this time; any more should retry later. */
  readonly worthMs: number;
};

/** A timer at most this late means that the loop still pauses between tasks; a loop that never does is overloaded. */
const IN_TIME_MS = 3;
/** Consecutive samples in time: even a loop without pauses is occasionally in time by chance. */
const CALM_LOOKS = 5;
/** The limit never falls below the number of calls that ran while the loop was calm, plus this many. */
const FEWEST_CALLS = 256;
/** Time constant of the average completion rate: after this time about two thirds of it are new samples. */
const MEMORY_MS = 500;
/** Per calm sample: lifting the limit at once would let in the whole crowd that was kept out. */
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
