/**
 * Pauses between the steps of a job. Polls start at short intervals, for videos that are made quickly, and slow down.
 */
const FIRST_POLL_MS = 250;
const POLL_GROWTH = 1.5;
/** A finished video is noticed half of this late on average. Recorded clients poll xAI and Google this often. */
const MAX_POLL_MS = 5_000;

const FIRST_RETRY_MS = 500;
const RETRY_GROWTH = 2;
const MAX_RETRY_MS = 30_000;
/** From this many failures in a row, the pause no longer grows. */
export const FAILURES_TO_LONGEST_PAUSE = Math.ceil(
  Math.log(MAX_RETRY_MS / FIRST_RETRY_MS) / Math.log(RETRY_GROWTH),
);

export function nextPollMs(looks: number): number {
  return growing({ firstMs: FIRST_POLL_MS, growth: POLL_GROWTH, maxMs: MAX_POLL_MS, steps: looks });
}

/** After a failed step: asking a server that is down again at once would not help. */
export function nextRetryMs(failures: number): number {
  return growing({ firstMs: FIRST_RETRY_MS, growth: RETRY_GROWTH, maxMs: MAX_RETRY_MS, steps: failures });
}

function growing(pace: { firstMs: number; growth: number; maxMs: number; steps: number }): number {
  const ms = pace.firstMs * pace.growth ** pace.steps;
  return Math.round(Math.min(ms, pace.maxMs));
}
