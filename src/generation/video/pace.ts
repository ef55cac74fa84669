/** How long a job rests between its steps. Looks begin quickly, for what is made quickly, and grow apart. */
const FIRST_LOOK_MS = 250;
const LOOK_GROWTH = 1.5;
const MAX_LOOK_MS = 15_000;

const FIRST_RETRY_MS = 500;
const RETRY_GROWTH = 2;
const MAX_RETRY_MS = 30_000;
/** So many failures in a row, and more of them make no pause longer. */
export const FAILURES_TO_LONGEST_PAUSE = Math.ceil(
  Math.log(MAX_RETRY_MS / FIRST_RETRY_MS) / Math.log(RETRY_GROWTH),
);

export function nextLookMs(looks: number): number {
  return growing({ firstMs: FIRST_LOOK_MS, growth: LOOK_GROWTH, maxMs: MAX_LOOK_MS, steps: looks });
}

/** After a step that failed: what is down is not helped by being asked at once. */
export function nextRetryMs(failures: number): number {
  return growing({ firstMs: FIRST_RETRY_MS, growth: RETRY_GROWTH, maxMs: MAX_RETRY_MS, steps: failures });
}

function growing(pace: { firstMs: number; growth: number; maxMs: number; steps: number }): number {
  const ms = pace.firstMs * pace.growth ** pace.steps;
  return Math.round(Math.min(ms, pace.maxMs));
}
