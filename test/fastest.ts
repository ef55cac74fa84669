/**
 * For tests that assert a time limit. Returns the fastest of several runs, each measured by the lesser of elapsed time
 * and CPU time: a machine that is busy with other tests must not look like slow code. With `limitMs`, stops after the
 * first run below that limit.
 */
export function fastestMs(run: () => unknown, rounds = 3, limitMs = 0): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && fastest >= limitMs; round++) {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, performance.now() - startedAt, (user + system) / 1_000);
  }
  return fastest;
}
