import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, migrate, restoreTables, saveTables } from "../../gateway/src/db/index.ts";
import { readSqlSources } from "../../gateway/src/db/sql-sources.ts";
import { createEmptyDatabase, createMigratedDatabase } from "../../gateway/src/db/testing.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { createBaseDatabase } from "./base-database.ts";
import { catalogOf } from "./catalog.ts";

const HOW =
  "gateway/sql/tables.sql and bindings.sql there make new databases, the changes bring older ones to the same: CONTRIBUTING.";

const MAKE_MONTHS = `select format('create table %I partition of requests %s', c.relname, b.bound) as statement
  from pg_inherits join pg_class c on c.oid = inhrelid cross join pg_get_expr(relpartbound, c.oid) as b (bound)
  where inhparent = 'requests'::regclass and b.bound <> 'DEFAULT'`;

let made: Database;
let brought: Database;
let catalog: string[];
const drops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const [fresh, base] = [await createMigratedDatabase(), await createBaseDatabase()];
  drops.push(fresh.drop, base.drop);
  made = fresh.db;
  brought = base.db;
  // Months of which one of them alone has partitions are no difference.
  for (const { statement } of (await brought.pool.query<{ statement: string }>(MAKE_MONTHS)).rows)
    await made.pool.query(statement);
  catalog = await catalogOf(made);
});
afterAll(() => Promise.all(drops.map((drop) => drop())));

test("a database of the base that is brought here is made of the same as a new one", async () => {
  expect((await migrate(brought, silentLog)).applied).toHaveLength(1);
  expect(await catalogOf(brought), HOW).toEqual(catalog);
  expect((await migrate(brought, silentLog)).applied).toEqual([]);
});

test("so is a restored backup of the base", async () => {
  const [base, { db, drop }] = [await createBaseDatabase(), await createEmptyDatabase()];
  drops.push(base.drop, drop);
  const folder = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  try {
    await restoreTables(db, folder, await saveTables(base.db, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(await catalogOf(db), HOW).toEqual(catalog);
  expect((await migrate(db, silentLog)).applied).toEqual([]);
});

test("the server finds no fault in the body of any function", async () => {
  const { functions } = readSqlSources();
  const { rows } = await made.pool.query(
    "select count(*)::int as n from pg_proc where pronamespace = 'public'::regnamespace",
  );
  expect(rows).toEqual([{ n: functions.length }]);
  for (const { sql } of functions) await made.pool.query(sql);
  expect(await catalogOf(made)).toEqual(catalog);
});

describe("the comparison notices", () => {
  test.each([
    ["a column's default", "alter table invitation alter mailed set default true"],
    ["a column that may be null", "alter table entries alter description drop not null"],
    ["a column's type", "alter table processes alter pid type bigint"],
    ["a column in another place", "alter table requests drop measured, add measured jsonb"],
    ["a constraint's name", "alter table accounts rename constraint accounts_are_sound to sound"],
    ["a constraint's rule", "alter table holds drop constraint holds_never_negative"],
    ["an index", "drop index entries_but_charges"],
    ["a table's setting", "alter table accounts set (fillfactor = 100)"],
    ["a partition", "alter table requests detach partition requests_default"],
    ["a sequence", "create sequence stray"],
    ["a right", "grant select on entries to public"],
    ["a right to a function", "revoke execute on function id_at from public"],
    [
      "a function's body",
      "create or replace function clock_offset() returns interval immutable return interval '1 s'",
    ],
    ["a function's volatility", "alter function id_at stable"],
    ["a function's setting", "alter function lock_account reset all"],
    ["a function too many", "create function ledger_settle() returns int return 1"],
    ["a trigger", "alter table entries disable trigger entries_are_append_only"],
  ])("%s", async (_, change) => {
    const client = await made.connect();
    try {
      await client.query(`begin; ${change};`);
      const inside = { ...made, pool: client } as unknown as Database;
      expect(await catalogOf(inside)).not.toEqual(catalog);
    } finally {
      await client.end();
    }
  });
});
