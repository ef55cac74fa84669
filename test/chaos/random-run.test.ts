import { expect, test } from "bun:test";
import { seedOfRun } from "../seed-of-run.ts";
import { runAtRandom } from "./random-run.ts";
import { SMALL } from "./scale.ts";

/** Printed when a run goes astray. */
const seed = seedOfRun();
const LIMIT_MS = 240_000;

test(
  `${SMALL.calls} calls while nodes are killed, PostgreSQL is stopped and links break: nothing is lost, charged twice or left over`,
  async () => {
    const { checks, folder } = await runAtRandom({ seed, scale: SMALL });
    const broken = checks.filter(({ faults }) => faults.length > 0);
    if (broken.length > 0)
      console.error(`Replay with BURSAR_TEST_SEED=${seed}; the logs of this run are in ${folder}`);
    expect(broken).toEqual([]);
  },
  LIMIT_MS,
);
