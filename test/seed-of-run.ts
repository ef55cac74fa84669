import { wholeNumber } from "../scripts/whole-number.ts";

/** A run at random is another one each time; BURSAR_TEST_SEED repeats one. */
export function seedOfRun(): number {
  const seed = process.env["BURSAR_TEST_SEED"] ?? String(Math.floor(Date.now() / 1000));
  return wholeNumber("BURSAR_TEST_SEED", seed, { least: 0 });
}
