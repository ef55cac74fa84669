import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import type { Database } from "../database.ts";
import {
  applyInTransaction,
  MIGRATION_LOCK,
  type Migration,
  noteMigrations,
  readMigrations,
} from "../migrate.ts";
import { copyIn } from "./copy-in.ts";
import { quoted, type SavedTable, type TablesManifest, tableFile } from "./tables-manifest.ts";
import { loadTables } from "./tables-store.ts";

/** The backup cannot be restored there. The message is for the operator. */
export class RestoreError extends Error {
  override name = "RestoreError";
}

/**
 * Restores what `saveTables` wrote into a database without tables: creates them with the same migrations that created
 * the originals, fills them, and commits everything or nothing. Newer migrations are left to the caller.
 */
export async function restoreTables(db: Database, folder: string, manifest: TablesManifest): Promise<void> {
  const migrations = migrationsOf(manifest);
  const client = await db.connect();
  try {
    await client.query("begin");
    await lockAlone(client);
    await requireNoTables(client);
    await noteMigrations(client);
    for (const migration of migrations) await applyInTransaction(client, migration);
    await fill(client, folder, manifest);
    await client.query("commit");
    await client.query("analyze");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Does not wait for the lock: whoever holds it is creating tables, and then this database is not empty. */
async function lockAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    MIGRATION_LOCK,
  ]);
  if (rows[0]?.taken) return;
  throw new RestoreError(
    "Another process is making this database's tables: stop every gateway on it, and restore into an empty one.",
  );
}

function migrationsOf(manifest: TablesManifest): Migration[] {
  const known = new Map(readMigrations().map((migration) => [migration.name, migration]));
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = known.get(name);
    if (!migration) {
      throw new RestoreError(
        `The backup has the migration ${name}, which this version does not know: restore it with the newer version of Bursar.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new RestoreError(`The backup was made with a different migrations/${name}.`);
    }
    return migration;
  });
}

/** For callers with more to restore than tables, to check before they start. */
export async function requireEmptyDatabase(db: Database): Promise<void> {
  const client = await db.connect();
  try {
    await requireNoTables(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function requireNoTables(client: pg.Client): Promise<void> {
  const tables = await loadTables(client);
  if (tables.length === 0) return;
  throw new RestoreError(
    `The database has tables already, ${tables[0]?.name} among them: restore into an empty one.`,
  );
}

async function fill(client: pg.Client, folder: string, manifest: TablesManifest): Promise<void> {
  for (const { name, of, bound } of manifest.partitions) {
    await client.query(`create table ${quoted(name)} partition of ${quoted(of)} ${bound}`);
  }
  const made = (await loadTables(client)).map(({ name }) => name);
  // Triggers must not fire: these rows are history, and whatever the triggers did then is already in them.
  for (const name of made) await client.query(`alter table ${quoted(name)} disable trigger user`);
  // Migrations insert rows, too; the backup has them as they were.
  for (const name of made.toReversed()) await client.query(`delete from ${quoted(name)}`);
  for (const table of manifest.tables) await fillTable(client, folder, table);
  for (const name of made) await client.query(`alter table ${quoted(name)} enable trigger user`);
}

async function fillTable(client: pg.Client, folder: string, table: SavedTable): Promise<void> {
  const file = tableFile(table.name);
  const hash = createHash("sha256");
  const columns = table.columns.map(quoted).join(", ");
  const into = `copy ${quoted(table.name)} (${columns}) from stdin`;
  try {
    const rows = await copyIn(client, into, unpacked(join(folder, file), hash));
    if (rows === table.rows && hash.digest("hex") === table.sha256) return;
  } catch (error) {
    throw new RestoreError(`${file} cannot be restored (${(error as Error).message}).`, { cause: error });
  }
  throw new RestoreError(`${file} has changed since it was written: the backup is damaged.`);
}

/**
 * Opens the file only when the server asks for the first rows: a stream that fails before anyone listens would end the
 * process.
 */
async function* unpacked(path: string, hash: Hash): AsyncGenerator<Uint8Array> {
  const plain = createGunzip();
  const packed = createReadStream(path);
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const unpacking = pipeline(hashed, plain);
  // The reader gets the same error from the stream itself.
  unpacking.catch(() => {});
  try {
    yield* plain;
    await unpacking;
  } finally {
    plain.destroy();
    packed.destroy();
  }
}
