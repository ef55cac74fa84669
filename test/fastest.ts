/** The fastest of some runs: a machine that is busy with other tests is not slow code. */
export function fastestMs(run: () => unknown, rounds = 3): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    run();
    fastest = Math.min(fastest, performance.now() - startedAt);
  }
  return fastest;
}
