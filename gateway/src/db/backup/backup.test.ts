import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../telemetry/index.ts";
import type { Database } from "../database.ts";
import { MIGRATION_LOCK, migrate } from "../migrate.ts";
import { createEmptyDatabase, createMigratedDatabase } from "../testing.ts";
import { restoreTables } from "./restore-tables.ts";
import { saveTables } from "./save-tables.ts";
import { type TablesManifest, tablesManifest } from "./tables-manifest.ts";

const ORGANIZATIONS = 1_000;
/** Everything that text may contain and that a line-based format must not break. */
const ODD = `tab\t, line\n, return\r, \\N, \\., quote ", 'x', ünïcode 🦊`;

let folder: string;
let source: Database;
let target: Database;
let drops: (() => Promise<void>)[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  const [from, to] = await Promise.all([createMigratedDatabase(), createEmptyDatabase()]);
  drops = [from.drop, to.drop];
  source = from.db;
  target = to.db;
  await source.pool.query("select make_request_partitions()");
  await source.pool.query(
    `insert into organization (id, name, slug)
     select gen_random_uuid(), case n when 1 then $1 else n::text end, n::text from generate_series(1, $2::integer) n`,
    [ODD, ORGANIZATIONS],
  );
  await source.pool.query(
    `insert into requests select id, id_at(bursar_now()), bursar_now(), bursar_now(), 'call', 'succeeded', 'e', 'm', id, null,
       1, 1, 0, 0, 0, 0, 1, 1, 0, 1, null, null, null, null,
       jsonb_build_object('n', 2, 'resolution', name) from organization`,
  );
});

afterEach(async () => {
  await Promise.all(drops.map((drop) => drop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Every row of every table, in an order that does not depend on where the rows are stored. */
async function contents(db: Database): Promise<Record<string, string>> {
  const { rows } = await db.pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname <> 'schema_migrations' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: sums } = await db.pool.query<{ sum: string }>(
      `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`,
    );
    found[name] = sums[0]?.sum ?? "";
  }
  return found;
}

describe("a backup of the tables", () => {
  test("restores every row of every table, partitions and triggers included", async () => {
    const manifest = await saveTables(source, folder);
    expect(manifest.tables.find(({ name }) => name === "organization")?.rows).toBe(ORGANIZATIONS);
    await restoreTables(target, folder, tablesManifest.parse(JSON.parse(JSON.stringify(manifest))));
    expect(await contents(target)).toEqual(await contents(source));
    const { rows } = await target.pool.query(
      "select measured from requests where measured->>'resolution' = $1",
      [ODD],
    );
    expect(rows).toEqual([{ measured: { n: 2, resolution: ODD } }]);
    expect((await migrate(target, silentLog)).applied).toEqual([]);
    await expect(target.pool.query("truncate entries")).rejects.toThrow("append-only");
    await expect(target.pool.query("delete from organization")).rejects.toThrow("never deleted");
  });

  test("is consistent, whatever is written meanwhile", async () => {
    let writing = true;
    const writer = (async () => {
      // Both rows are written in one transaction, so a backup has both or neither.
      while (writing) {
        await source.pool.query(
          `with o as (insert into organization (name, slug) values ('x', gen_random_uuid()::text) returning id)
           insert into price_rules select id::text, 'm', '{}' from o`,
        );
      }
    })();
    const manifest = await saveTables(source, folder);
    writing = false;
    await writer;
    const rows = (name: string) => manifest.tables.find((table) => table.name === name)?.rows ?? 0;
    expect(rows("price_rules")).toBe(rows("organization") - ORGANIZATIONS);
  });

  test("is not restored into a database that has tables", async () => {
    const manifest = await saveTables(source, folder);
    await expect(restoreTables(source, folder, manifest)).rejects.toThrow("has tables already");
  });

  test("is not restored into a database that another process is creating", async () => {
    const manifest = await saveTables(source, folder);
    const other = await target.connect();
    try {
      await other.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
      await expect(restoreTables(target, folder, manifest)).rejects.toThrow("Another process is making");
    } finally {
      await other.end();
    }
    expect(await contents(target)).toEqual({});
  });

  test.each([
    ["a changed byte", (bytes: Buffer) => bytes.fill(bytes.readUInt8(40) ^ 1, 40, 41)],
    ["a missing end", (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
    ["no content", (bytes: Buffer) => bytes.subarray(0, 0)],
  ])("with a file that has %s is refused and leaves nothing behind", async (_, damage) => {
    const manifest = await saveTables(source, folder);
    const path = join(folder, "tables", "organization.copy.gz");
    const whole = readFileSync(path);
    writeFileSync(path, damage(Buffer.from(whole)));
    await expect(restoreTables(target, folder, manifest)).rejects.toThrow("tables/organization.copy.gz");
    expect(await contents(target)).toEqual({});
    writeFileSync(path, whole);
    await restoreTables(target, folder, manifest);
    expect(await contents(target)).toEqual(await contents(source));
  });

  test("of a newer version, or of other migrations, is refused", async () => {
    const manifest = await saveTables(source, folder);
    const altered = (change: (migration: { name: string; checksum: string }) => object): TablesManifest => ({
      ...manifest,
      migrations: manifest.migrations.map((migration) => ({ ...migration, ...change(migration) })),
    });
    await expect(
      restoreTables(
        target,
        folder,
        altered(() => ({ name: "9999_later.sql" })),
      ),
    ).rejects.toThrow("newer version");
    await expect(
      restoreTables(
        target,
        folder,
        altered(() => ({ checksum: "x" })),
      ),
    ).rejects.toThrow("a different migrations/");
  });
});
