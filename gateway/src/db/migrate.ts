import type pg from "pg";
import { codeOf, messageOf, present, sha256Hex } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Database } from "./database.ts";
import { isLockTimeout } from "./lock-timeout.ts";
import { readSqlSources, type SqlSources, sqlOfTables, sqlToComplete, versionOf } from "./sql-sources.ts";

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

/** The database and this version of Bursar do not match. The message is for the operator. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

const PACE: MigrationPace = { lockMs: 300, pauseMs: 1_000, withinMs: 300_000 };

/**
 * Brings the database up to this version: forward only, one process at a time, in one transaction with the version's row
 * in `schema_migrations`. If killed halfway, nothing of it remains.
 */
export async function migrate(
  db: Database,
  log: Log,
  folder?: string,
  pace: MigrationPace = PACE,
): Promise<{ applied: string[] }> {
  const sources = readSqlSources(folder);
  const client = await db.connect();
  try {
    // With this check a killed process's statement ends soon; otherwise it would keep the lock until it is done.
    await client.query(`set lock_timeout = ${pace.withinMs}; set client_connection_check_interval = '250ms'`);
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(`set lock_timeout = ${pace.lockMs}`);
    const standing = standingOf("The database", await loadApplied(client), sources);
    if (standing === sources.version) return { applied: [] };
    await apply(client, sources, standing, { log, pace });
    log.info(standing === null ? "database_made" : "migration_applied", { name: sources.name });
    return { applied: [sources.name] };
  } finally {
    // Ends the session and with it the lock, even if the connection is broken.
    await client.end().catch(() => {});
  }
}

/** What `migrate` would still apply; does not take the lock. */
export async function pendingMigrations(db: Database, folder?: string): Promise<string[]> {
  const sources = readSqlSources(folder);
  const standing = standingOf("The database", await loadApplied(db.pool), sources);
  return standing === sources.version ? [] : [sources.name];
}

/** True if no version of Bursar has ever created its tables in this database. */
export async function isNewDatabase(db: Database): Promise<boolean> {
  return (await loadApplied(db.pool)).length === 0;
}

const MADE_TABLE = /^create table (?:if not exists )?"?([a-z_]+)"?/gm;

/** The tables of this version. */
export function migratedTables(): string[] {
  return readSqlSources().tables.flatMap(({ sql }) =>
    [...sql.matchAll(MADE_TABLE)].map(([, name = ""]) => name),
  );
}

/** One version that the database has been at, or one change on the way; of the base, one of its migrations. */
type AppliedRow = { name: string; checksum: string };

/** Empty for a database without tables. */
export async function loadApplied(client: Pick<pg.ClientBase, "query">): Promise<AppliedRow[]> {
  try {
    return (await client.query<AppliedRow>("select name, checksum from schema_migrations")).rows;
  } catch (error) {
    if (codeOf(error) === "42P01") return [];
    throw error;
  }
}

const VERSION_NAME = /^(\d{4})_version$/;
/** The last of the numbered migrations that made databases before there were versions, which go on from it. */
const BASE_VERSION = 31;
/** Of the names and checksums of all of them. */
const BASE_DIGEST = "b8a3b0e333b0e251ba4ad44305077a3a127d6fee8dbddf1212af78ae0d55e0b5";

/** The version of the database or backup with these rows; null if it is new. */
export function standingOf(
  what: "The database" | "The backup",
  rows: readonly AppliedRow[],
  { version, digest, changes }: SqlSources,
  Refusal: new (message: string) => Error = MigrationError,
): number | null {
  if (rows.length === 0) return null;
  const newest = Math.max(...rows.map(({ name }) => Number(VERSION_NAME.exec(name)?.[1] ?? 0)));
  if (newest > version)
    throw new Refusal(
      `${what} has version ${newest} of the SQL, and this version of Bursar knows none after ${version}: use the newer version of Bursar.`,
    );
  if (newest === version && !rows.some(({ checksum }) => checksum === digest))
    throw new Refusal(
      `${what} has another version ${version} of the SQL than this Bursar: restore the files in gateway/sql/, or raise the number in gateway/sql/version.`,
    );
  const other = changes
    .filter((change) => versionOf(change) <= newest)
    .find((change) => !rows.some(({ name, checksum }) => name === change.name && checksum === sumOf(change)));
  if (other)
    throw new Refusal(
      `gateway/sql/${other.name} is not what ${what.toLowerCase()} had of it at version ${newest}: restore the file, and give what is new the number of a new version.`,
    );
  if (newest > 0) return newest;
  const lines = rows.map(({ name, checksum }) => `${name} ${checksum}\n`);
  if (sha256Hex(lines.sort().join("")) === BASE_DIGEST) return BASE_VERSION;
  throw new Refusal(
    `${what} is not at the migration 0031_catalog_marks.sql: bring it there with Bursar 0.1.0, the last with a folder migrations/, then use this version.`,
  );
}

const sumOf = ({ sql }: { sql: string }) => sha256Hex(sql);

export const NOT_ALLOWED = "42501";

/** Advice for a role that may not create tables, or does not own the existing ones; also used by the doctor command. */
export function howToOwnDatabase(role: string): string {
  return `run \`alter database … owner to ${role}\`, or set another role in DATABASE_URL`;
}

export function howToOwnTables(role: string): string {
  return `set the role that owns the tables in DATABASE_URL, or run \`reassign owned by … to ${role}\``;
}

/**
 * After a lost deadlock with calls of other nodes, or a lock timeout, nothing has changed, so it is tried again.
 */
const DEADLOCK = "40P01";

/** Otherwise functions would come to stand in another schema that the search_path names first. */
const IN_ITS_SCHEMA = `select set_config('search_path', relnamespace::regnamespace::text, true)
  from pg_class where oid = to_regclass('schema_migrations')`;

async function apply(
  client: pg.Client,
  sources: SqlSources,
  standing: number | null,
  { log, pace }: { readonly log: Log; readonly pace: MigrationPace },
): Promise<void> {
  const lastMs = performance.now() + pace.withinMs;
  for (let attempt = 1; ; attempt++) {
    await client.query(`begin; ${IN_ITS_SCHEMA}`);
    try {
      if (standing === null) await client.query(sqlOfTables(sources, sources.version));
      await complete(client, sources, standing ?? sources.version, standing !== null);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback").catch(() => {});
      const message = messageOf(error);
      if ((codeOf(error) !== DEADLOCK && !isLockTimeout(error)) || performance.now() > lastMs)
        throw new MigrationError(
          `The database cannot be brought to this version: ${message}${await adviceFor(error, client)}.`,
          { cause: error },
        );
      if (attempt === 1)
        log.warn("migration_waits", { name: sources.name, error: message, up_to_ms: pace.withinMs });
    }
    await Bun.sleep(pace.pauseMs);
  }
}

async function adviceFor(error: unknown, client: pg.Client): Promise<string> {
  if (isLockTimeout(error))
    return ": its tables are in use, for example by a backup (see pg_stat_activity); start again once they are free";
  if (codeOf(error) !== NOT_ALLOWED) return "";
  const { rows } = await client.query<{ role: string; may_create: boolean | null }>(
    "select current_user as role, has_schema_privilege(current_schema(), 'CREATE') as may_create",
  );
  const { role, may_create } = present(rows[0], "the role");
  return `: ${may_create ? howToOwnTables(role) : howToOwnDatabase(role)}`;
}

/**
 * In the client's transaction: what is missing where tables and rows of a version are, and the rows that say so. Bindings
 * are missing as a whole, or as far as they have changed.
 */
export async function complete(
  client: pg.Client,
  sources: SqlSources,
  from: number,
  hasBindings: boolean,
): Promise<void> {
  await client.query(sqlToComplete(sources, from, hasBindings));
  const changes = sources.changes.filter((change) => !hasBindings || versionOf(change) > from);
  await client.query(
    "insert into schema_migrations select *, bursar_now() from unnest($1::text[], $2::text[])",
    [
      [sources.name, ...changes.map(({ name }) => name)],
      [sources.digest, ...changes.map(sumOf)],
    ],
  );
}
