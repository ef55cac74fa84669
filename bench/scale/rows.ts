import type { Database } from "../../gateway/src/db/index.ts";
import { assert, present } from "../../gateway/src/kit/index.ts";
import { openBenchDatabase } from "../bench-database.ts";
import { type BackupFigures, measureBackup } from "./backup.ts";
import { addAssets } from "./make-assets.ts";
import { type MadeRows, makeRows } from "./make-rows.ts";
import { type LoadFigures, measureLoad } from "./measured-load.ts";
import { type ScaleUpstream, startScaleGateway, startUpstream } from "./scale-gateway.ts";
import { forgetScans, loadScans, type Scans } from "./sequential-scans.ts";
import { loadTableFigures, type TableFigures, vacuumAll } from "./table-figures.ts";
import { measureVerify, type VerifyFigures } from "./verify.ts";
import { measureViews, type ViewFigures } from "./views.ts";

export type RowFigures = {
  readonly rows: number;
  readonly makingSeconds: number;
  readonly load: LoadFigures;
  readonly views: ViewFigures;
  readonly tables: readonly TableFigures[];
  readonly vacuumSeconds: number;
  readonly databaseBytes: number;
  readonly scans: Scans;
  readonly backup: BackupFigures;
  readonly verify: VerifyFigures;
};

const CONNECTIONS = 64;
const ASSETS_PER_ROW = 1 / 50;

/** What calls, reports, pages, vacuum and the audit cost with this many entries and requests on disk. */
export async function measureRows(rows: number, calls: number): Promise<RowFigures> {
  const bench = await openBenchDatabase();
  const upstream = await startUpstream();
  try {
    const { db, folder } = bench;
    const startedMs = performance.now();
    const made = await makeRows(db, rows);
    await addAssets(db, made.largest.id, Math.ceil(rows * ASSETS_PER_ROW));
    const makingSeconds = (performance.now() - startedMs) / 1000;
    const vacuumSeconds = await vacuumAll(db);
    await forgetScans(db);
    const load = await measureCalls({ db, folder, upstream, made, calls });
    const views = await measureViews(db, folder, made.largest);
    const scans = await loadScans(db);
    const tables = await loadTableFigures(db);
    return {
      rows,
      makingSeconds,
      load,
      views,
      tables,
      vacuumSeconds,
      databaseBytes: await loadDatabaseBytes(db),
      scans,
      backup: await measureBackup(db, folder),
      verify: await measureVerify(db, made.largest.id),
    };
  } finally {
    await upstream.stop();
    await bench.close();
  }
}

/** A third of the calls by the largest organization, the others by organizations from all over the table. */
async function measureCalls(input: {
  db: Database;
  folder: string;
  upstream: ScaleUpstream;
  made: MadeRows;
  calls: number;
}): Promise<LoadFigures> {
  const { db, folder, made, calls } = input;
  const gateway = await startScaleGateway({ folder, upstreamPort: input.upstream.port, workers: 1 });
  try {
    const caller = (at: number) =>
      at % 3 === 0 ? made.largest : present(made.all[(at * 7_919) % made.all.length], "an organization");
    const load = { gateway, db, folder, connections: CONNECTIONS, caller };
    await measureLoad({ ...load, goesOn: (at) => at < calls / 2 });
    const { figures, tally } = await measureLoad({ ...load, goesOn: (at) => at < calls });
    assert(tally.byStatus.size === 1, "a call was refused");
    return figures;
  } finally {
    await gateway.stop();
  }
}

async function loadDatabaseBytes(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ bytes: string }>(
    "select pg_database_size(current_database()) as bytes",
  );
  return Number(rows[0]?.bytes);
}
