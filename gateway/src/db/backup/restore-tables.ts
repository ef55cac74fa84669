import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { present } from "../../kit/index.ts";
import type { Database } from "../database.ts";
import { complete, MIGRATION_LOCK, standingOf } from "../migrate.ts";
import { readSqlSources, sqlOfTables } from "../sql-sources.ts";
import { quoted, type SavedTable, type TablesManifest, tableFile } from "./tables-manifest.ts";
import { loadTables } from "./tables-store.ts";

type Wire = {
  query(text: string): void;
  readonly stream: Writable;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** Feeds `copy … from stdin`; returns how many rows the server accepted. */
function copyIn(client: pg.Client, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let failure: unknown = null;
    async function feed(wire: Wire): Promise<void> {
      try {
        for await (const chunk of source) {
          if (failure !== null) return;
          wire.sendCopyFromChunk(chunk);
          if (wire.stream.writableNeedDrain) await once(wire.stream, "drain");
        }
        wire.endCopyFrom();
      } catch (error) {
        failure ??= error;
        wire.sendCopyFail("the backup cannot be read");
      }
    }
    const copying = {
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) => void feed(wire),
      // If we aborted the copy, our own reason says more than the server's error.
      handleError(error: Error) {
        failure ??= error;
        reject(failure);
      },
      handleCommandComplete({ text: tag }: { text: string }) {
        rows = Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? Number.NaN);
      },
      handleRowDescription() {},
      handleReadyForQuery: () => resolve(rows),
    };
    client.query(copying as unknown as pg.Submittable);
  });
}

/** The backup cannot be restored there. The message is for the operator. */
export class RestoreError extends Error {
  override name = "RestoreError";
}

/**
 * Restores what `saveTables` wrote into a database without tables: makes the tables as they were then, fills them, brings
 * them to this version, and commits everything or nothing.
 */
export async function restoreTables(
  db: Database,
  folder: string,
  manifest: TablesManifest,
  sources = readSqlSources(),
): Promise<void> {
  const standing = standingOf("The backup", manifest.migrations, sources, RestoreError);
  const version = present(standing, "the version of the backup");
  const client = await db.connect();
  try {
    await client.query("begin");
    await lockAlone(client);
    await requireNoTables(client);
    await client.query(sqlOfTables(sources, version));
    await fill(client, folder, manifest);
    // Only now, so that no trigger fires: these rows are history, and whatever triggers did then is already in them.
    await complete(client, sources, version, false);
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
  // One of them is made with a row; the backup has it as it was.
  for (const { name } of (await loadTables(client)).toReversed()) {
    await client.query(`delete from ${quoted(name)}`);
  }
  for (const table of manifest.tables) await fillTable(client, folder, table);
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
