import { createDueTimes } from "./due-times.ts";

type WakeUps = {
  atOnce(): void;
  /** A job is due by then. */
  after(ms: number): void;
  /** Starts no more checks, and waits for the running one. */
  stop(): Promise<void>;
};

/**
 * Runs `check` whenever a job may be due, and `idleMs` after the last time even if none is known to be; one at a time.
 */
export function startWakeUps(check: () => Promise<void>, idleMs: number): WakeUps {
  const dueTimes = createDueTimes();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let wakesAtMs = Number.POSITIVE_INFINITY;
  let checking: Promise<void> | null = null;
  let hasMore = false;
  let isStopped = false;

  /** The earliest request wins. */
  function plan(inMs: number): void {
    const atMs = performance.now() + inMs;
    if (isStopped || atMs >= wakesAtMs) return;
    if (timer !== null) clearTimeout(timer);
    wakesAtMs = atMs;
    timer = setTimeout(() => {
      wakesAtMs = Number.POSITIVE_INFINITY;
      hasMore = checking !== null;
      checking ??= checkNow();
    }, inMs);
    timer.unref();
  }

  async function checkNow(): Promise<void> {
    dueTimes.dropUntil(performance.now());
    try {
      await check();
    } finally {
      checking = null;
      // A wake-up during the check may have come too late for it.
      plan(hasMore ? 0 : Math.min(idleMs, untilDueMs()));
    }
  }

  function untilDueMs(): number {
    return Math.max(0, dueTimes.earliestMs() - performance.now());
  }

  plan(0);
  return {
    atOnce: () => plan(0),
    after(ms) {
      // Remembered as well as planned: an earlier wake-up takes the place of this one.
      dueTimes.add(performance.now() + ms);
      plan(untilDueMs());
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await checking;
    },
  };
}
