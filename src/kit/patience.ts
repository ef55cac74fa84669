import type { Clock } from "./clock.ts";

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** How long what failed is tried again: after pauses that grow, and never beyond its time. */
export type Patience = {
  /** Null: another attempt would come too late. */
  nextPauseMs(): number | null;
  leftMs(): number;
};

export function createPatience(forMs: number, clock: Clock): Patience {
  const startedMs = clock.elapsedMs();
  let growingMs = FIRST_PAUSE_MS;
  return {
    nextPauseMs() {
      const pauseMs = growingMs;
      if (clock.elapsedMs() - startedMs + pauseMs > forMs) return null;
      growingMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      return pauseMs;
    },
    leftMs: () => Math.max(0, startedMs + forMs - clock.elapsedMs()),
  };
}
