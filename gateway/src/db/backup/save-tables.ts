import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import type { Database } from "../database.ts";
import { loadApplied } from "../migrate.ts";
import { quoted, type SavedTable, type TablesManifest, tableFile } from "./tables-manifest.ts";
import { loadPartitions, loadTables, type Table } from "./tables-store.ts";

type Wire = { query(text: string): void; readonly stream: { pause(): void; resume(): void } };

/** The server sends one message per row; passing on each of them would cost more than the copying. */
const BUFFER_BYTES = 256 * 1024;

/** The output of `copy … to stdout`, as a stream with backpressure on the server. */
function copyOut(client: pg.Client, text: string): Readable {
  let wire: Wire | null = null;
  let buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;

  const output = new Readable({
    highWaterMark: 4 * BUFFER_BYTES,
    read: () => wire?.stream.resume(),
  });
  function flush(): void {
    if (used === 0) return;
    if (!output.push(buffer.subarray(0, used))) wire?.stream.pause();
    buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    used = 0;
  }
  const copying = {
    submit(connection: Wire) {
      wire = connection;
      connection.query(text);
    },
    // The parser reuses these bytes, so they are copied at once.
    handleCopyData({ chunk }: { chunk: Buffer }) {
      if (used + chunk.length > BUFFER_BYTES) flush();
      if (chunk.length > BUFFER_BYTES) {
        if (!output.push(Buffer.from(chunk))) wire?.stream.pause();
        return;
      }
      chunk.copy(buffer, used);
      used += chunk.length;
    },
    handleError: (error: Error) => void output.destroy(error),
    handleCommandComplete() {},
    handleRowDescription() {},
    handleReadyForQuery() {
      flush();
      output.push(null);
    },
  };
  client.query(copying as unknown as pg.Submittable);
  return output;
}

/** Speed matters more than the last percent: vacuum cannot remove rows while this runs. */
const GZIP_LEVEL = 1;

/**
 * Writes every table into the folder, all from one snapshot, while others go on reading and writing. Uses the text
 * format of `copy`, because the next major version of PostgreSQL can read that as well.
 */
export async function saveTables(db: Database, folder: string): Promise<TablesManifest> {
  const client = await db.connect();
  try {
    await client.query("begin transaction isolation level repeatable read read only");
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    const migrations = await loadApplied(client);
    const partitions = await loadPartitions(client);
    const tables: SavedTable[] = [];
    for (const table of await loadTables(client)) tables.push(await saveTable(client, table, folder));
    await client.query("commit");
    return { postgres: rows[0]?.server_version ?? "unknown", migrations, partitions, tables };
  } finally {
    await client.end().catch(() => {});
  }
}

async function saveTable(client: pg.Client, table: Table, folder: string): Promise<SavedTable> {
  const path = join(folder, tableFile(table.name));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const columns = table.columns.map(quoted).join(", ");
  // `copy` of a partitioned table itself would find no rows.
  const source = table.isPartitioned
    ? `(select ${columns} from ${quoted(table.name)})`
    : `${quoted(table.name)} (${columns})`;
  const hash = createHash("sha256");
  let bytes = 0;
  let rows = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++;
      done(null, chunk);
    },
  });
  const seal = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(
    copyOut(client, `copy ${source} to stdout`),
    count,
    createGzip({ level: GZIP_LEVEL }),
    seal,
    // `flush`: the file must be on disk. `wx`: a file that is already there is somebody else's.
    createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }),
  );
  return { name: table.name, columns: [...table.columns], rows, bytes, sha256: hash.digest("hex") };
}
