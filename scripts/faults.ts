/**
 * `npm run faults [-- --long] [--only NAME] [--seed N] [--calls N] [--rounds N] [--seeds N]`: everything that can go wrong, on purpose. Each
 * part prints a table and saves its figures; the exit code is 1 where anything did not hold.
 */
import { parseArgs } from "node:util";
import { racesPart, simulationPart } from "./faults/counted-parts.ts";
import { failPointsPart } from "./faults/fail-points-part.ts";
import type { FaultsPart } from "./faults/part.ts";
import { randomPart } from "./faults/random-part.ts";

/** The fail points come before anything that is drawn at random. */
const PARTS: Readonly<Record<string, FaultsPart>> = {
  "fail-points": failPointsPart,
  random: randomPart,
  races: racesPart,
  simulation: simulationPart,
};

const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string" },
    calls: { type: "string" },
    rounds: { type: "string", default: "10000" },
    seeds: { type: "string" },
  },
});
const isLong = values.long;
const options = {
  isLong,
  seed: Number(values.seed ?? Math.floor(Date.now() / 1000)),
  calls: values.calls === undefined ? null : Number(values.calls),
  rounds: Number(values.rounds),
  seeds: Number(values.seeds ?? (isLong ? 10_000 : 1_000)),
};
const names = values.only === undefined ? Object.keys(PARTS) : [values.only];
const failed: string[] = [];
for (const name of names) {
  const part = PARTS[name];
  if (part === undefined) {
    console.error(`--only takes one of: ${Object.keys(PARTS).join(", ")}`);
    process.exit(2);
  }
  if (!(await part(options))) failed.push(name);
}
console.log(failed.length === 0 ? "\nAll of it held." : `\nNot everything held: ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
