import { renderTable } from "../../bench/table.ts";
import { runAtRandom } from "../../test/chaos/random-run.ts";
import { runTables } from "../../test/chaos/run-table.ts";
import { LONG, SHORT } from "../../test/chaos/scale.ts";
import { saveWholeRun } from "../figures/whole-run.ts";
import type { FaultsPart } from "./part.ts";

/** A partial run need not reach the minimum of faults. */
const NOTHING = { kills: 0, databaseStops: 0, linkCuts: 0 };

/** Calls and faults drawn from one seed. */
export const randomPart: FaultsPart = async ({ isLong, seed, calls }) => {
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
