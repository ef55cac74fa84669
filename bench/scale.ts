import { choiceOption, commandOptions, numberOption, refuse } from "../scripts/command-options.ts";
import type { FigureTable } from "../scripts/figures/figure-file.ts";
import { saveFigures } from "../scripts/figures/figure-file.ts";
import { measureOrganizations } from "./scale/organizations.ts";
import { measureProcesses } from "./scale/processes.ts";
import { measureRows } from "./scale/rows.ts";
import { organizationTables, processTables, rowTables } from "./scale/tables.ts";
import { renderTable } from "./table.ts";

const PARTS = ["processes", "organizations", "rows"] as const;
const USAGE = `Usage: npm run bench scale [-- --only ${PARTS.join("|")}] [--rows N] [--seconds N] [--calls N]`;
/** FAULTS: the whole ledger in under five minutes; held only where the ledger is as large as that. */
const VERIFY_SECONDS = 300;
const FEW_ROWS = 10_000;

type Options = { only: (typeof PARTS)[number] | null; rows: number; seconds: number; calls: number };

/**
 * How far one PostgreSQL carries: processes (about two minutes), organizations (about three) and rows (ten million take
 * about fifteen, and 10 GB of the temporary folder). Ends with an error where a limit, a balance or the ledger is off.
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = parse(args);
  // With every option as it was given: figures of a smaller run must not pass for those of the whole one.
  const given = args.filter((arg, at) => !arg.startsWith("--only") && args[at - 1] !== "--only");
  const commandOf = (part: string) => ["npm run bench scale -- --only", part, ...given].join(" ");
  const parts: Readonly<Record<(typeof PARTS)[number], () => Promise<void>>> = {
    processes: async () => {
      const figures = await measureProcesses(options.seconds);
      report(commandOf("processes"), "processes", figures, processTables(figures));
    },
    organizations: async () => {
      const figures = await measureOrganizations(options.calls);
      report(commandOf("organizations"), "organizations", figures, organizationTables(figures));
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
  report(command, "rows", { few, many }, rowTables(few, many));
  if (many.verify.seconds > VERIFY_SECONDS) {
    console.error(
      `The ledger took ${many.verify.seconds.toFixed(0)} s to verify; ${VERIFY_SECONDS} are allowed.`,
    );
    process.exitCode = 1;
  }
}

function report(command: string, part: string, figures: unknown, tables: Record<string, FigureTable>): void {
  for (const [name, { header, rows }] of Object.entries(tables)) {
    console.log(`\n${part}, ${name}\n\n${renderTable(header, rows)}`);
  }
  saveFigures({ name: `scale-${part}`, command, seed: null, figures, tables });
}

function parse(args: readonly string[]): Options {
  const values = commandOptions(
    USAGE,
    {
      only: { type: "string" },
      rows: { type: "string", default: "10000000" },
      seconds: { type: "string", default: "10" },
      calls: { type: "string", default: "20000" },
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
