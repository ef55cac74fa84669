import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";

/** The clock that credits and keys go by. */
export async function loadDatabaseNow(db: Database): Promise<Date> {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  return present(rows[0], "the database's time").now;
}

/** What was set for whoever connects to this database, whatever our own sessions make of it. */
export async function loadDurability(
  db: Database,
): Promise<{ synchronousCommit: string; isFlushed: boolean }> {
  const { rows } = await db.pool.query<{ commit: string; fsync: string }>(
    "select reset_val as commit, current_setting('fsync') as fsync from pg_settings where name = 'synchronous_commit'",
  );
  const { commit, fsync } = present(rows[0], "the server's settings");
  return { synchronousCommit: commit, isFlushed: fsync !== "off" };
}

export async function loadServerVersion(db: Database): Promise<string> {
  const { rows } = await db.pool.query<{ version: string }>(
    "select split_part(current_setting('server_version'), ' ', 1) as version",
  );
  return present(rows[0], "the server's version").version;
}

/** Whether the migrations could make their tables. Without a schema to make them in nobody could. */
export async function loadRights(db: Database): Promise<{ role: string; mayCreate: boolean }> {
  const { rows } = await db.pool.query<{ role: string; may_create: boolean }>(
    "select current_user as role, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create",
  );
  const { role, may_create } = present(rows[0], "the role's rights");
  return { role, mayCreate: may_create };
}

/** The serving processes that hold a lease now, of whichever machine. */
export async function loadServingProcesses(db: Database): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ process_id: string }>(
    "select process_id from processes where ended_at is null and expires_at > bursar_now()",
  );
  return rows.map((row) => row.process_id);
}
