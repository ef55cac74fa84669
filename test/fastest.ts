/**
 * The fastest of some runs, by the clock or by the processor's time, whichever is less: a machine that is busy with other
 * tests is not slow code.
 */
export function fastestMs(run: () => unknown, rounds = 3): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, performance.now() - startedAt, (user + system) / 1_000);
  }
  return fastest;
}
