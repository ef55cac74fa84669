/** Short videos are done within this time, and are shown as soon as they are. */
const EAGER_FOR_MS = 60_000;
const LOOK_EAGERLY_EVERY_MS = 500;
const LOOK_EVERY_MS = 1_500;
/** Polls in a row that may fail before the page shows it; it then polls less often. */
const FAILURES_BEFORE_BACKOFF = 5;
const LOOK_RARELY_EVERY_MS = 5_000;

/** How often one video is polled. After the first failure never eagerly again: the polls may be what was too much. */
export function createLookPace(startedMs: number) {
  let failuresInRow = 0;
  let isEager = true;
  return {
    succeeded(): void {
      failuresInRow = 0;
    },
    failed(): void {
      failuresInRow++;
      isEager = false;
    },
    get isBackingOff(): boolean {
      return failuresInRow >= FAILURES_BEFORE_BACKOFF;
    },
    pauseMs(nowMs: number): number {
      if (failuresInRow >= FAILURES_BEFORE_BACKOFF) return LOOK_RARELY_EVERY_MS;
      return isEager && nowMs - startedMs < EAGER_FOR_MS ? LOOK_EAGERLY_EVERY_MS : LOOK_EVERY_MS;
    },
  };
}
