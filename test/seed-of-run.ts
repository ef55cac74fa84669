import { wholeNumber } from "../scripts/command-options.ts";

/** The seed for a test with random input: a new one for each run. Set BURSAR_TEST_SEED to repeat one. */
export function seedOfRun(): number {
  const seed = process.env["BURSAR_TEST_SEED"] ?? String(Math.floor(Date.now() / 1000));
  return wholeNumber("BURSAR_TEST_SEED", seed, { least: 0 });
}
