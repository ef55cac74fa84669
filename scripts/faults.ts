/**
 * `npm run faults`: causes everything that can go wrong. Each part prints a table, and saves its figures if it was a
 * whole run in which everything held; the exit code is 1 if anything did not.
 */

import { renderTable } from "../bench/table.ts";
import { runAtRandom } from "../test/chaos/random-run.ts";
import { runTables } from "../test/chaos/run-table.ts";
import { LONG, SHORT } from "../test/chaos/scale.ts";
import { choiceOption, commandOptions, numberOption } from "./command-options.ts";
import { racesPart, simulationPart } from "./faults/counted-parts.ts";
import { failPointsPart } from "./faults/fail-points-part.ts";
import type { FaultsPart } from "./faults/part.ts";
import { saveWholeRun } from "./figures/whole-run.ts";

/** A partial run need not reach the minimum of faults. */
const NOTHING = { kills: 0, databaseStops: 0, linkCuts: 0 };

/** Calls and faults drawn from one seed. */
const randomPart: FaultsPart = async ({ isLong, seed, calls }) => {
  const whole = isLong ? LONG : SHORT;
  const scale = calls === null ? whole : { ...whole, calls, least: NOTHING };
  console.log(`Random run of ${scale.calls} calls, seed ${seed} (--seed ${seed} repeats it)`);
  const report = await runAtRandom({ seed, scale, say: (line) => console.log(`  ${line}`) });
  const tables = runTables(report);
  console.log(`\n${renderTable(tables.faults.header, tables.faults.rows)}`);
  console.log(`\n${renderTable(tables.checks.header, tables.checks.rows)}`);
  const broken = report.checks.filter(({ faults }) => faults.length > 0);
  for (const { what, faults } of broken) console.log(`\nNot so: ${what}\n  ${faults.join("\n  ")}`);
  if (report.folder !== null) console.log(`\nThe logs of this run are in ${report.folder}`);
  const found = {
    name: isLong ? "faults-long" : "faults",
    command: `npm run faults -- --only random${isLong ? " --long" : ""} --seed ${seed}`,
    seed,
    figures: { ...report, folder: null },
    tables,
  };
  const hasHeld = broken.length === 0;
  saveWholeRun(found, { isWhole: calls === null, hasHeld });
  return hasHeld;
};

/** The fail points come before anything random. */
const PARTS = {
  "fail-points": failPointsPart,
  random: randomPart,
  races: racesPart,
  simulation: simulationPart,
} as const satisfies Readonly<Record<string, FaultsPart>>;
const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

const USAGE = `Usage: npm run faults [-- OPTIONS]
  --only NAME    one part: ${NAMES.join(", ")}
  --long         a million calls instead of fifty thousand, ten thousand seeds
  --seed N       repeats a random run
  --calls N      of the random run; its figures are not kept then
  --rounds N     of the races (10000); with fewer their figures are not kept
  --seeds N      of the simulation (1000); from 10000 on its figures are kept`;

const values = commandOptions(USAGE, {
  long: { type: "boolean", default: false },
  only: { type: "string" },
  seed: { type: "string" },
  calls: { type: "string" },
  rounds: { type: "string", default: "10000" },
  seeds: { type: "string" },
});
const isLong = values.long;
const options = {
  isLong,
  seed: numberOption("--seed", values.seed ?? String(Math.floor(Date.now() / 1000)), { least: 0 }),
  calls: values.calls === undefined ? null : numberOption("--calls", values.calls),
  rounds: numberOption("--rounds", values.rounds),
  seeds: numberOption("--seeds", values.seeds ?? (isLong ? "10000" : "1000")),
};
const names = values.only === undefined ? NAMES : [choiceOption("--only", values.only, NAMES)];
const failed: string[] = [];
for (const name of names) {
  if (!(await PARTS[name](options))) failed.push(name);
}
console.log(failed.length === 0 ? "\nAll of it held." : `\nNot everything held: ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
