/**
 * How many of the rounds that are drawn at random this run has: a quarter, unless another share is said, and all of them
 * with `npm test -- --long`. Each run draws others, so what one of them misses is found by those that follow.
 */
export function roundsOfRun(all: number, share = 0.25): number {
  return process.env["BURSAR_TEST_LONG"] === "1" ? all : Math.ceil(all * share);
}
