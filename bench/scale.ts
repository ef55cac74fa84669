import type { FigureTable } from "../scripts/figures/figure-file.ts";
import { saveFigures } from "../scripts/figures/figure-file.ts";
import { measureOrganizations } from "./scale/organizations.ts";
import { measureProcesses } from "./scale/processes.ts";
import { measureRows } from "./scale/rows.ts";
import { organizationTables, processTables, rowTables } from "./scale/tables.ts";
import { renderTable } from "./table.ts";

const USAGE =
  "Usage: npm run bench scale [-- --only processes|organizations|rows] [--rows N] [--seconds N] [--calls N]";
/** FAULTS: the whole ledger in under five minutes; held only where the ledger is as large as that. */
const VERIFY_SECONDS = 300;
const FEW_ROWS = 10_000;

type Options = { only: string | null; rows: number; seconds: number; calls: number };

/**
 * How far one PostgreSQL carries: processes (about two minutes), organizations (about three) and rows (ten million take
 * about fifteen, and 10 GB of the temporary folder). Ends with an error where a limit, a balance or the ledger is off.
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = parse(args);
  // With every option as it was given: figures of a smaller run must not pass for those of the whole one.
  const given = args.filter((_, at) => args[at - (at % 2)] !== "--only");
  const commandOf = (part: string) => ["npm run bench scale -- --only", part, ...given].join(" ");
  const parts: Readonly<Record<string, () => Promise<void>>> = {
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
  for (const [name, part] of Object.entries(parts)) {
    if (options.only === null || options.only === name) await part();
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
  const options: Options = { only: null, rows: 10_000_000, seconds: 10, calls: 20_000 };
  for (let at = 0; at < args.length; at += 2) {
    const [flag, value = ""] = args.slice(at);
    const number = Number(value);
    if (flag === "--only" && ["processes", "organizations", "rows"].includes(value)) options.only = value;
    else if (flag === "--rows" && number >= FEW_ROWS && number % FEW_ROWS === 0) options.rows = number;
    else if (flag === "--seconds" && number >= 2 && number <= 120) options.seconds = number;
    else if (flag === "--calls" && number >= 1_000 && number <= 1_000_000) options.calls = number;
    else throw new Error(USAGE);
  }
  return options;
}
