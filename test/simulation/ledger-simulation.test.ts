import { expect, test } from "bun:test";
import { wholeNumber } from "../../scripts/command-options.ts";
import { reportFigures } from "../report-figures.ts";
import { seedOfRun } from "../seed-of-run.ts";
import { simulate } from "./simulation.ts";

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
const SEEDS = wholeNumber("BURSAR_TEST_SEEDS", process.env["BURSAR_TEST_SEEDS"] ?? (isLong ? "10000" : "40"));
/** Organizations in one database at a time. */
const AT_ONCE = 100;
const DAYS = 30;

/** Printed when a seed fails. */
const firstSeed = seedOfRun();

test(
  `the ledger's SQL agrees with the reference ledger over ${DAYS} simulated days (${SEEDS} seeds)`,
  async () => {
    const counted = { steps: 0, calls: 0, crashes: 0 };
    for (let seed = firstSeed; seed < firstSeed + SEEDS; seed += AT_ONCE) {
      try {
        const seeds = Math.min(AT_ONCE, firstSeed + SEEDS - seed);
        const { steps, calls, crashes } = await simulate({ firstSeed: seed, seeds, days: DAYS });
        counted.steps += steps;
        counted.calls += calls;
        counted.crashes += crashes;
      } catch (error) {
        console.error(`Replay with BURSAR_TEST_SEED=${seed}`);
        throw error;
      }
    }
    expect(counted.calls).toBeGreaterThan(SEEDS * DAYS);
    const { calls, crashes, steps } = counted;
    reportFigures({ seeds: SEEDS, "days of each": DAYS, calls, crashes, comparisons: steps });
  },
  isLong ? 3_600_000 : 300_000,
);
