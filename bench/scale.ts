import { choiceOption, commandOptions, numberOption, refuse } from "../scripts/command-options.ts";
import type { FigureTable } from "../scripts/figures/figure-file.ts";
import { saveWholeRun } from "../scripts/figures/whole-run.ts";
import { measureOrganizations } from "./scale/organizations.ts";
import { measureProcesses } from "./scale/processes.ts";
import { measureRows } from "./scale/rows.ts";
import { organizationTables, processTables, rowTables } from "./scale/tables.ts";
import { renderTable } from "./table.ts";

const PARTS = ["processes", "organizations", "rows"] as const;
const USAGE = `Usage: npm run bench scale [-- --only ${PARTS.join("|")}] [--rows N] [--seconds N] [--calls N]`;
/** FAULTS: the whole ledger in under five minutes; required only if the ledger is that large. */
const VERIFY_SECONDS = 300;
const FEW_ROWS = 10_000;
/** The size of the runs shown in the documents. */
const WHOLE = { rows: 10_000_000, seconds: 10, calls: 20_000 };

type Options = { only: (typeof PARTS)[number] | null; rows: number; seconds: number; calls: number };

/**
 * How far one PostgreSQL scales: processes (about two minutes), organizations (about three) and rows (ten million take
 * about fifteen, and 10 GB of the temporary folder). Fails if a limit, a balance or the ledger is off.
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = parse(args);
  // With every option as given: figures of a larger run must not pass for those of the usual one.
  const given = args.filter((arg, at) => !arg.startsWith("--only") && args[at - 1] !== "--only");
  const commandOf = (part: string) => ["npm run bench scale -- --only", part, ...given].join(" ");
  const parts: Readonly<Record<(typeof PARTS)[number], () => Promise<void>>> = {
    processes: async () => {
      const figures = await measureProcesses(options.seconds);
      const isWhole = options.seconds >= WHOLE.seconds;
      const tables = processTables(figures);
      report({ command: commandOf("processes"), part: "processes", figures, tables }, { isWhole });
    },
    organizations: async () => {
      const figures = await measureOrganizations(options.calls);
      const isWhole = options.calls >= WHOLE.calls;
      const tables = organizationTables(figures);
      report({ command: commandOf("organizations"), part: "organizations", figures, tables }, { isWhole });
    },
    rows: () => reportRows(options, commandOf("rows")),
  };
  for (const name of PARTS) {
    if (options.only === null || options.only === name) await parts[name]();
  }
  process.exit(process.exitCode ?? 0);
}

async function reportRows({ rows, calls }: Options, command: string): Promise<void> {
  const few = await measureRows(FEW_ROWS, calls);
  const many = await measureRows(rows, calls);
  const tables = rowTables(few, many);
  const isWhole = rows >= WHOLE.rows && calls >= WHOLE.calls;
  report({ command, part: "rows", figures: { few, many }, tables }, { isWhole });
  if (many.verify.seconds > VERIFY_SECONDS) {
    console.error(
      `The ledger took ${many.verify.seconds.toFixed(0)} s to verify; ${VERIFY_SECONDS} are allowed.`,
    );
    process.exitCode = 1;
  }
}

type Report = {
  readonly command: string;
  readonly part: string;
  readonly figures: unknown;
  readonly tables: Readonly<Record<string, FigureTable>>;
};

/** A part that does not hold throws before it is reported. */
function report({ command, part, figures, tables }: Report, run: { readonly isWhole: boolean }): void {
  for (const [name, { header, rows }] of Object.entries(tables)) {
    console.log(`\n${part}, ${name}\n\n${renderTable(header, rows)}`);
  }
  saveWholeRun({ name: `scale-${part}`, command, seed: null, figures, tables }, run);
}

function parse(args: readonly string[]): Options {
  const values = commandOptions(
    USAGE,
    {
      only: { type: "string" },
      rows: { type: "string", default: String(WHOLE.rows) },
      seconds: { type: "string", default: String(WHOLE.seconds) },
      calls: { type: "string", default: String(WHOLE.calls) },
    },
    args,
  );
  const rows = numberOption("--rows", values.rows, { least: FEW_ROWS });
  if (rows % FEW_ROWS !== 0) refuse(`--rows takes a multiple of ${FEW_ROWS}, not "${values.rows}"`);
  return {
    only: values.only === undefined ? null : choiceOption("--only", values.only, PARTS),
    rows,
    seconds: numberOption("--seconds", values.seconds, { least: 2, most: 120 }),
    calls: numberOption("--calls", values.calls, { least: 1_000, most: 1_000_000 }),
  };
}
