import type { Database } from "../../gateway/src/db/index.ts";
import { present } from "../../gateway/src/kit/index.ts";
import { postgresPid } from "../bench-database.ts";
import { familyCpuMicros } from "../process-cpu.ts";
import { type CallTally, call } from "./callers.ts";
import type { ScaleOrganization } from "./make-organizations.ts";
import type { ScaleGateway } from "./scale-gateway.ts";

export type LoadFigures = {
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly gatewayMicros: number;
  readonly postgresMicros: number;
  /** Commits of PostgreSQL, from whatever source: the fewer, the more calls shared one. */
  readonly commitsPerCall: number;
};

type MeasuredLoad = { readonly figures: LoadFigures; readonly tally: CallTally };

/** A load, with the CPU that the gateway's and PostgreSQL's processes used meanwhile, per call. */
export async function measureLoad(input: {
  gateway: ScaleGateway;
  db: Database;
  folder: string;
  connections: number;
  caller(at: number): ScaleOrganization;
  goesOn(at: number): boolean;
}): Promise<MeasuredLoad> {
  const { gateway } = input;
  const postgres = postgresPid(input.folder);
  const commits = await loadCommits(input.db);
  const before = { gateway: gateway.cpuMicros(), postgres: familyCpuMicros(postgres) };
  const tally = await call({ ...input, origin: gateway.origin });
  const calls = present(tally.byStatus.get(200), "calls that were answered");
  const figures = {
    callsPerSecond: calls / tally.seconds,
    p50Ms: tally.p50Ms,
    p99Ms: tally.p99Ms,
    gatewayMicros: (gateway.cpuMicros() - before.gateway) / calls,
    postgresMicros: (familyCpuMicros(postgres) - before.postgres) / calls,
    commitsPerCall: ((await loadCommits(input.db)) - commits) / calls,
  };
  return { figures, tally };
}

/** Processes report their counts about once a second: accurate to a second of the load, at either end. */
async function loadCommits(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ commits: string }>(
    "select xact_commit as commits from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]?.commits);
}

/** The columns of every table of a load, after its first. */
export const LOAD_HEADER = [
  "calls/s",
  "p50 ms",
  "p99 ms",
  "CPU µs, gateway",
  "CPU µs, PostgreSQL",
  "commits per call",
];

export function loadCells(figures: LoadFigures): string[] {
  return [
    figures.callsPerSecond.toFixed(0),
    figures.p50Ms.toFixed(1),
    figures.p99Ms.toFixed(1),
    figures.gatewayMicros.toFixed(0),
    figures.postgresMicros.toFixed(0),
    figures.commitsPerCall.toFixed(2),
  ];
}
