import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { codeOf, sha256Hex } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Database } from "./database.ts";
import { isLockTimeout } from "./lock-timeout.ts";

export const MIGRATIONS_DIR = join(import.meta.dir, "..", "..", "migrations");

/** Arbitrary, but the same for every version of Bursar. */
export const MIGRATION_LOCK = 7_226_001;

/** How a migration waits for others: for another migration, and for those who use its tables. */
type MigrationPace = {
  /**
   * How long to wait for a table's lock. Others queue behind that wait, so this is also the longest delay of a paid
   * call.
   */
  readonly lockMs: number;
  /** Pause between attempts, to let those who queued up proceed. */
  readonly pauseMs: number;
  /** When to give up. A backup or a migration of large tables takes a while; anything longer needs a person. */
  readonly withinMs: number;
};

const PACE: MigrationPace = { lockMs: 300, pauseMs: 1_000, withinMs: 300_000 };

const MIGRATION_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

export type Migration = { name: string; sql: string; checksum: string };

/** The database and this version of Bursar do not match. The message is for the operator. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/**
 * Brings the database up to this version: forward only, one process at a time, each file in one transaction with its
 * row in `schema_migrations`. If killed halfway through a file, nothing of it remains.
 */
export async function migrate(
  db: Database,
  log: Log,
  folder: string = MIGRATIONS_DIR,
  pace: MigrationPace = PACE,
): Promise<{ applied: string[] }> {
  const migrations = readMigrations(folder);
  const client = await db.connect();
  try {
    // With this check a killed process's statement ends soon; otherwise it would keep the lock until it is done.
    await client.query(`set lock_timeout = ${pace.withinMs}; set client_connection_check_interval = '250ms'`);
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(`set lock_timeout = ${pace.lockMs}`);
    await explainingRights(client, () => noteMigrations(client));
    const applied = await loadApplied(client);
    const pending = pendingOf(migrations, applied);
    for (const migration of pending) {
      await apply(client, migration, { log, pace });
      if (applied.length > 0) log.info("migration_applied", { name: migration.name });
    }
    // A first start changes nothing that exists: one line in the log instead of one per file.
    if (applied.length === 0) log.info("database_made", { migrations: pending.length });
    return { applied: pending.map((migration) => migration.name) };
  } finally {
    // Ends the session and with it the lock, even if the connection is broken.
    await client.end().catch(() => {});
  }
}

/** What `migrate` would still apply; does not take the lock. */
export async function pendingMigrations(db: Database, folder: string = MIGRATIONS_DIR): Promise<string[]> {
  return pendingOf(readMigrations(folder), await readApplied(db)).map((migration) => migration.name);
}

/** True if no version of Bursar has ever created its tables in this database. */
export async function isNewDatabase(db: Database): Promise<boolean> {
  return (await readApplied(db)).length === 0;
}

function readApplied(db: Database): Promise<AppliedRow[]> {
  return loadApplied(db.pool).catch(undefinedTableAsEmpty);
}

const MADE_TABLE = /^create table (?:if not exists )?"?([a-z_]+)"?/gim;

/** The tables that migrations create; some may have been dropped since. */
export function migratedTables(): string[] {
  return readMigrations().flatMap(({ sql }) => [...sql.matchAll(MADE_TABLE)].map(([, name = ""]) => name));
}

type AppliedRow = { name: string; checksum: string };

function undefinedTableAsEmpty(error: unknown): AppliedRow[] {
  if (codeOf(error) === "42P01") return [];
  throw error;
}

export function readMigrations(folder: string = MIGRATIONS_DIR): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  let previous = "";
  return names.map((name) => {
    const number = MIGRATION_NAME.exec(name)?.[1];
    if (number === undefined)
      throw new MigrationError(`migrations/${name} must be named like 0001_what_it_brings.sql.`);
    if (number === previous)
      throw new MigrationError(`Two migrations carry the number ${number}: renumber one.`);
    previous = number;
    // A checkout on Windows may change line endings; that does not make it a different migration.
    const sql = readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
    return { name, sql, checksum: sha256Hex(sql) };
  });
}

export async function noteMigrations(client: pg.Client): Promise<void> {
  // `create table if not exists` fails for a role without the right to create tables, even if the table exists.
  const { rows } = await client.query("select to_regclass('schema_migrations') is not null as is_there");
  if (rows[0]?.is_there === true) return;
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null)`);
}

export async function loadApplied(client: Pick<pg.ClientBase, "query">): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    "select name, checksum from schema_migrations order by name",
  );
  return rows;
}

function pendingOf(migrations: Migration[], applied: AppliedRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = known.get(row.name);
    if (!migration)
      throw new MigrationError(
        `The database has the migration ${row.name}, which this version of Bursar does not know: start the newer version.`,
      );
    if (migration.checksum !== row.checksum)
      throw new MigrationError(
        `migrations/${row.name} was changed after it was applied: restore the file and add a new migration instead.`,
      );
  }
  const last = applied.at(-1)?.name ?? "";
  const pending = migrations.filter((migration) => !applied.some((row) => row.name === migration.name));
  const late = pending.find((migration) => migration.name < last);
  if (late)
    throw new MigrationError(
      `migrations/${late.name} comes before ${last}, which is applied: give it a later number.`,
    );
  return pending;
}

export const NOT_ALLOWED = "42501";

/** Advice for a role that may not create tables, or does not own the existing ones; also used by the doctor command. */
export function howToOwnDatabase(role: string): string {
  return `run \`alter database … owner to ${role}\`, or set another role in DATABASE_URL`;
}

export function howToOwnTables(role: string): string {
  return `set the role that owns the tables in DATABASE_URL, or run \`reassign owned by … to ${role}\``;
}

async function roleOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>("select current_user as role");
  return rows[0]?.role ?? "…";
}

async function explainingRights<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code !== NOT_ALLOWED) throw error;
    const role = await roleOf(client);
    throw new MigrationError(
      `The role ${role} may not create tables (${message}): ${howToOwnDatabase(role)}.`,
      { cause: error },
    );
  }
}

/**
 * After a lost deadlock with calls of other nodes, or a lock timeout, nothing has changed, so the migration is retried.
 */
const DEADLOCK = "40P01";

async function apply(
  client: pg.Client,
  migration: Migration,
  { log, pace }: { readonly log: Log; readonly pace: MigrationPace },
): Promise<void> {
  const lastMs = performance.now() + pace.withinMs;
  for (let attempt = 1; ; attempt++) {
    await client.query("begin");
    try {
      await applyInTransaction(client, migration);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback").catch(() => {});
      const { code, message } = error as { code?: string; message: string };
      if ((code !== DEADLOCK && !isLockTimeout(error)) || performance.now() > lastMs)
        throw new MigrationError(
          `migrations/${migration.name} failed: ${message}${await adviceFor(error, client)}.`,
          { cause: error },
        );
      if (attempt === 1)
        log.warn("migration_waits", { name: migration.name, error: message, up_to_ms: pace.withinMs });
    }
    await Bun.sleep(pace.pauseMs);
  }
}

async function adviceFor(error: unknown, client: pg.Client): Promise<string> {
  if (isLockTimeout(error))
    return ": its tables are in use, for example by a backup (see pg_stat_activity); start again once they are free";
  if (codeOf(error) === NOT_ALLOWED) return `: ${howToOwnTables(await roleOf(client))}`;
  return "";
}

export async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.sql);
  await client.query(
    "insert into schema_migrations (name, checksum, applied_at) values ($1, $2, bursar_now())",
    [migration.name, migration.checksum],
  );
}
