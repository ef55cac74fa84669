import { type FigureTable, saveFigures } from "../scripts/figures/figure-file.ts";
import {
  type Comparison,
  compare,
  fullTable,
  type JudgedTarget,
  judge,
  paceOf,
  ratioTable,
  runTable,
  SCENARIOS,
  type Scenario,
  targetTable,
} from "./peers/index.ts";
import { renderTable } from "./table.ts";

/**
 * Bursar with billing and its PostgreSQL against the upstream itself, a bare proxy and Portkey's gateway, in one run.
 * Fails if a required figure is missed; a short run (`--short`) only shows the shape, and is neither judged nor saved.
 */
export async function run(args: readonly string[]): Promise<void> {
  const pace = paceOf(args);
  const found = await compare(SCENARIOS, { ...pace, withPortkey: true });
  const targets = judge(found.summary, found.fdatasyncMs);
  const tables = { ...tablesOf(found, targets), run: runTable(found, pace) };
  for (const [name, table] of Object.entries(tables)) print(name, table);
  if (pace.isShort) return;
  const { summary, ...facts } = found;
  saveFigures({
    name: "peers",
    command: ["npm run bench peers", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    seed: null,
    figures: { pace, ...facts, targets, cells: summary.cells },
    tables,
  });
  if (targets.some(({ verdict }) => verdict === "missed")) process.exitCode = 1;
}

function tablesOf({ summary, fdatasyncMs }: Comparison, targets: readonly JudgedTarget[]) {
  const having = (prompt: Scenario["prompt"]) => SCENARIOS.filter((each) => each.prompt === prompt);
  return {
    targets: targetTable(targets, fdatasyncMs),
    ratios: ratioTable(summary, SCENARIOS),
    small: fullTable(summary, having("small")),
    large: fullTable(summary, having("100 KB")),
    new: fullTable(summary, having("100 KB of new texts")),
  };
}

function print(name: string, { header, rows }: FigureTable): void {
  console.log(`${name}\n\n${renderTable(header, rows)}\n`);
}
