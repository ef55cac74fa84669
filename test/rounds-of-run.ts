/**
 * For tests with many random rounds: how many of `all` to run now. A quarter unless `share` says otherwise; all of them
 * with `npm test -- --long`. Each run draws others, so what one run misses, later ones find.
 */
export function roundsOfRun(all: number, share = 0.25): number {
  return process.env["BURSAR_TEST_LONG"] === "1" ? all : Math.ceil(all * share);
}
