import { renderTable } from "../../bench/table.ts";
import { saveWholeRun } from "../figures/whole-run.ts";
import type { FaultsPart } from "./part.ts";
import { runTested, type TestedCase } from "./tested-part.ts";

/** Tests that try every point with every action, for every kind of call. */
const TABLES = [
  "test/faults/fail-points.test.ts",
  "test/faults/media-fail-points.test.ts",
  "test/faults/video-fail-points.test.ts",
  "test/faults/process-death.test.ts",
  "test/faults/media-death.test.ts",
  "test/faults/video-death.test.ts",
  "test/faults/payment-death.test.ts",
  "test/faults/sweeper-points.test.ts",
];

/** Recognised by the names of the tests. */
const ACTIONS: readonly (readonly [name: string, sign: RegExp])[] = [
  ["throw", /^throws at /],
  ["delay", /^is late at /],
  ["hang", /^hangs at /],
  ["drop the database", /^loses the database at /],
  ["kill", /^(a node that dies )?(at |.*, at )\w+: |dies at /],
];
const POINT = /\bat (\w+_\w+)/;

export const failPointsPart: FaultsPart = async () => {
  console.log("Fail points: every point, action and kind of call");
  const run = await runTested(TABLES);
  const tried = run.cases.flatMap((one) => {
    const action = ACTIONS.find(([, sign]) => sign.test(one.name))?.[0];
    const point = POINT.exec(one.name)?.[1];
    return action === undefined || point === undefined ? [] : [{ ...one, action, point }];
  });
  const points = [...new Set(tried.map(({ point }) => point))];
  const header = ["point", ...ACTIONS.map(([name]) => name)];
  const rows = points.map((point) => [
    point,
    ...ACTIONS.map(([name]) => held(tried.filter((one) => one.point === point && one.action === name))),
  ]);
  console.log(`\n${renderTable(header, rows)}`);
  const found = {
    name: "fail-points",
    command: "npm run faults -- --only fail-points",
    seed: null,
    figures: { seconds: run.seconds, cases: tried },
    tables: { points: { header, rows } },
  };
  saveWholeRun(found, { isWhole: true, hasHeld: run.ok });
  return run.ok;
};

/** How many cases held, out of how many. */
function held(cases: readonly TestedCase[]): string {
  if (cases.length === 0) return "";
  const passed = cases.filter((one) => one.passed).length;
  return passed === cases.length ? String(passed) : `${passed} of ${cases.length}`;
}
