/**
 * For tests that assert a time limit. Returns the fastest of several runs, each measured by the lesser of elapsed time
 * and CPU time: a machine that is busy with other tests must not look like slow code. With `limitMs`, stops after the
 * first run below that limit.
 */
export function fastestMs(run: () => unknown, rounds = 3, limitMs = 0): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && fastest >= limitMs; round++) {
    const lapMs = startLap();
    run();
    fastest = Math.min(fastest, lapMs());
  }
  return fastest;
}

/** The same for work that is waited for. */
export async function fastestWaitMs(run: () => Promise<unknown>, rounds = 3, limitMs = 0): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && fastest >= limitMs; round++) {
    const lapMs = startLap();
    await run();
    fastest = Math.min(fastest, lapMs());
  }
  return fastest;
}

function startLap(): () => number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - startedAt, (user + system) / 1_000);
  };
}
