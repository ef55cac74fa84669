import type { Clock } from "./clock.ts";

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/** Paces the retries of a failed operation: pauses grow, and none goes beyond the time limit. */
export class Backoff {
  readonly #forMs: number;
  readonly #clock: Clock;
  readonly #startedMs: number;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(forMs: number, clock: Clock) {
    this.#forMs = forMs;
    this.#clock = clock;
    this.#startedMs = clock.elapsedMs();
  }

  /** Null if another attempt would come too late. */
  nextPauseMs(): number | null {
    const pauseMs = this.#pauseMs;
    if (this.#clock.elapsedMs() - this.#startedMs + pauseMs > this.#forMs) return null;
    this.#pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    return pauseMs;
  }

  leftMs(): number {
    return Math.max(0, this.#startedMs + this.#forMs - this.#clock.elapsedMs());
  }
}
