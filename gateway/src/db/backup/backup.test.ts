import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBaseDatabase } from "../../../../test/upgrade/base-database.ts";
import { silentLog } from "../../telemetry/index.ts";
import type { Database } from "../database.ts";
import { MIGRATION_LOCK, migrate } from "../migrate.ts";
import { readSqlSources, type SqlSources } from "../sql-sources.ts";
import { createEmptyDatabase, createMigratedDatabase } from "../testing.ts";
import { RestoreError, restoreTables } from "./restore-tables.ts";
import { saveTables } from "./save-tables.ts";
import { tablesManifest } from "./tables-manifest.ts";

const ORGANIZATIONS = 1_000;
const ADD_MOTTO = "alter table organization add motto text";
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

  const { version } = readSqlSources();
  const rowAt = (number: number) => ({ name: `00${number}_version`, checksum: "x" });

  test.each([
    ["a newer version", [rowAt(version), rowAt(version + 1)], "use the newer version of Bursar"],
    ["another version of the same number", [rowAt(version)], `another version ${version}`],
    [
      "a version from before the first that is upgraded",
      [{ name: "0030_refusals.sql", checksum: "x" }],
      "Bursar 0.1.0",
    ],
  ])("of %s is refused", async (_, migrations, told) => {
    const manifest = await saveTables(source, folder);
    const restored = restoreTables(target, folder, { ...manifest, migrations });
    await expect(restored).rejects.toThrow(RestoreError);
    await expect(restored).rejects.toThrow(told);
    expect(await contents(target)).toEqual({});
  });

  test("of each older version is filled into its own tables, which are then changed", async () => {
    let before = await createBaseDatabase();
    drops.push(before.drop);
    await before.db.pool.query("insert into organization (name, slug) values ('Acme', 'new')");
    for (const next of [version + 1, version + 2]) {
      const after = await createEmptyDatabase();
      drops.push(after.drop);
      const saved = join(folder, String(next));
      await restoreTables(after.db, saved, await saveTables(before.db, saved), sourcesOf(next));
      before = after;
    }
    const { pool } = before.db;
    expect((await pool.query("select name, motto from organization where slug = 'new'")).rows).toEqual([
      { name: "Acme", motto: "Acme!" },
    ]);
    expect(
      (await pool.query("select max(name) as newest from schema_migrations where name not like 'changes/%'"))
        .rows,
    ).toEqual([{ newest: `00${version + 2}_version` }]);
    await expect(pool.query("truncate entries")).rejects.toThrow("append-only");
  });
});

/** The sources as the next two versions might have them. */
function sourcesOf(version: number): SqlSources {
  const sources = readSqlSources();
  const [first, second] = [sources.version + 1, sources.version + 2];
  const change = (number: number, sql: string, kind = "") => ({
    name: `changes/00${number}_motto${kind}.sql`,
    sql,
  });
  const changes = [
    change(first, ADD_MOTTO),
    change(second, "update organization set motto = name || '!' where motto is null"),
    // A restore makes all bindings anew.
    change(second, "select 1 / 0", ".bindings"),
  ];
  const passed = changes.filter(({ name }) => name <= `changes/00${version}_motto.sql`);
  return {
    ...sources,
    ...{ version, name: `00${version}_version`, digest: String(version) },
    baseTables: sources.changes.length > 0 ? sources.baseTables : sources.tables,
    tables: [...sources.tables, { name: "motto.sql", sql: ADD_MOTTO }],
    changes: [...sources.changes, ...passed],
  };
}
