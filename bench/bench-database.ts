import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, migrate, openDatabase } from "../gateway/src/db/index.ts";
import { onServer, superuserUrlOf } from "../gateway/src/db/testing.ts";
import { credits, newId } from "../gateway/src/kit/index.ts";
import { createLedger } from "../gateway/src/ledger/index.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";

export type BenchDatabase = { readonly db: Database; readonly folder: string; close(): Promise<void> };

export function benchFolder(): string {
  return mkdtempSync(join(tmpdir(), "bursar-bench-"));
}

/** What benches do besides a gateway's work: reset counters, checkpoint, forge a row. */
const BENCH_RIGHTS = `grant pg_checkpoint to bursar; grant execute on function pg_stat_reset() to bursar;
  grant set on parameter session_replication_role to bursar`;

/** The embedded PostgreSQL as shipped, fsync on, in a temporary folder. */
export async function openBenchDatabase(folder = benchFolder()): Promise<BenchDatabase> {
  const db = await openDatabase({ databaseUrl: null, dataDir: folder, poolSize: 20, log: silentLog });
  await migrate(db, silentLog);
  await onServer(superuserUrlOf(db.url), BENCH_RIGHTS);
  return {
    db,
    folder,
    async close() {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function foundOrganizations(db: Database, count: number): Promise<string[]> {
  const ledger = createLedger(db);
  const orgIds = Array.from({ length: count }, () => newId());
  await db.pool.query(
    `insert into organization (id, name, slug, "createdAt")
     select id, id::text, id::text, bursar_now() from unnest($1::uuid[]) as id`,
    [orgIds],
  );
  for (const orgId of orgIds) {
    await ledger.grant({
      orgId,
      pool: "anytime",
      amount: credits(1_000_000_000),
      reference: null,
      expiresAt: null,
      kind: "manual",
      description: "bench",
    });
  }
  return orgIds;
}

/** The main process of the embedded PostgreSQL in a data folder. */
export function postgresPid(dataDir: string): number {
  const found = new Bun.Glob("**/postmaster.pid").scanSync({ cwd: dataDir, dot: true });
  for (const path of found) return Number(readFileSync(join(dataDir, path), "utf8").split("\n")[0]);
  return 0;
}
