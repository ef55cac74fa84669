import { expect, test } from "bun:test";
import { simulate } from "./simulation.ts";

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
const SEEDS = isLong ? 10_000 : 200;
/** Organizations that live in one database at a time. */
const AT_ONCE = 100;
const DAYS = 30;

/** BURSAR_TEST_SEED replays a run: it is printed when a seed goes astray. */
const firstSeed = Number(process.env["BURSAR_TEST_SEED"] ?? Math.floor(Date.now() / 1000));

test(
  `the SQL agrees with the reference through ${DAYS} days of calls, crashes, zombies, lost answers, expiries and renewals (${SEEDS} seeds)`,
  async () => {
    let calls = 0;
    for (let seed = firstSeed; seed < firstSeed + SEEDS; seed += AT_ONCE) {
      try {
        calls += (await simulate({ firstSeed: seed, seeds: AT_ONCE, days: DAYS })).calls;
      } catch (error) {
        console.error(`Replay with BURSAR_TEST_SEED=${seed}`);
        throw error;
      }
    }
    expect(calls).toBeGreaterThan(SEEDS * DAYS);
  },
  isLong ? 3_600_000 : 120_000,
);
