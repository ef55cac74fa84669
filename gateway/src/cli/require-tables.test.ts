import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createBaseDatabase } from "../../../test/upgrade/base-database.ts";
import { type Database, migrate, pendingMigrations } from "../db/index.ts";
import { createEmptyDatabase } from "../db/testing.ts";
import { silentLog } from "../telemetry/index.ts";
import type { OperatorServices } from "./operator-services.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;
let db: Database;
let drops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  cli = await createCliHarness();
});

beforeEach(async () => {
  const empty = await createEmptyDatabase();
  drops.push(empty.drop);
  db = empty.db;
});

afterAll(async () => {
  await Promise.all(drops.map((drop) => drop()));
  drops = [];
  await cli.drop();
});

const runOn = (database: Database, ...argv: string[]) =>
  cli.runWith(
    { openServices: async () => ({ db: database, close: async () => {} }) as unknown as OperatorServices },
    ...argv,
  );

async function tables(): Promise<number> {
  const { rows } = await db.pool.query(
    "select count(*)::int as n from pg_tables where schemaname = 'public'",
  );
  return rows[0].n;
}

/** Exit code 2: without reading the ledger there is no verdict on it. */
const codeOf = ([noun]: readonly string[]) => (noun === "ledger" ? 2 : 1);

test.each([[["ledger", "verify"]], [["org", "list"]], [["key", "list", "--org", "acme"]]])(
  "bursar %j fails in an empty database and creates no tables",
  async (argv) => {
    const { code, err } = await runOn(db, ...argv);
    expect([code, err]).toEqual([
      codeOf(argv),
      "bursar: The database has no Bursar tables: set DATABASE_URL or BURSAR_DATA_DIR to the gateway's value, or run `bin/bursar migrate` to create them.\n",
    ]);
    expect(await tables()).toBe(0);
  },
);

test("commands fail if a migration is missing, and name it", async () => {
  const older = await createBaseDatabase();
  drops.push(older.drop);
  const [name] = await pendingMigrations(older.db);
  for (const argv of [
    ["ledger", "verify"],
    ["org", "create", "--name", "New Ltd"],
  ]) {
    const { code, err } = await runOn(older.db, ...argv);
    expect([code, err]).toEqual([
      codeOf(argv),
      `bursar: The database lacks 1 migration of this version (${name}): run \`bin/bursar migrate\`.\n`,
    ]);
  }
});

test("org create creates the tables of an empty database", async () => {
  // The services of this test can do no more than that.
  await runOn(db, "org", "create", "--name", "First Ltd");
  expect(await migrate(db, silentLog)).toEqual({ applied: [] });
});
