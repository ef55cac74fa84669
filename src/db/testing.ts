import { randomBytes } from "node:crypto";
import pg from "pg";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { migrate } from "./migrate.ts";

export type TestDatabase = {
  readonly db: Database;
  /** Shifts `bursar_now()` of this database, forward or back. */
  advanceClock(ms: number): Promise<void>;
  /** From now on `bursar_now()` changes only by `advanceClock`. */
  freezeClock(at?: Date): Promise<void>;
  drop(): Promise<void>;
};

const TEMPLATE = "bursar_template";
const MIGRATED = "bursar_migrated";
const POOL_SIZE = 8;

/** A separate database for a test file: migrated, empty, with a clock that the test controls. */
export async function createTestDatabase(
  options: { poolSize?: number; serverUrl?: string } = {},
): Promise<TestDatabase> {
  const { db, drop } = await createDatabaseFrom(TEMPLATE, {
    poolSize: options.poolSize ?? POOL_SIZE,
    serverUrl: options.serverUrl ?? testServerUrl(),
  });
  return {
    db,
    drop,
    async advanceClock(ms) {
      await db.pool.query("update test_clock set offset_ms = offset_ms + $1", [ms]);
    },
    async freezeClock(at) {
      await db.pool.query(
        "update test_clock set frozen_at = coalesce($1::timestamptz, bursar_now()), offset_ms = 0",
        [at ?? null],
      );
    },
  };
}

/** A database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<Pick<TestDatabase, "db" | "drop">> {
  return createDatabaseFrom("template1", { poolSize: POOL_SIZE, serverUrl: testServerUrl() });
}

/** Migrated and nothing else, like that of a gateway: with the real clock. */
export function createMigratedDatabase(): Promise<Pick<TestDatabase, "db" | "drop">> {
  return createDatabaseFrom(MIGRATED, { poolSize: POOL_SIZE, serverUrl: testServerUrl() });
}

async function createDatabaseFrom(
  template: string,
  { poolSize, serverUrl }: { readonly poolSize: number; readonly serverUrl: string },
) {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await copyDatabase(serverUrl, template, name);
  const db = connectDatabase({ url: databaseUrlOf(serverUrl, name), poolSize, log: silentLog });
  return {
    db,
    async drop() {
      await db.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Copying files takes 25 ms; the default strategy, which logs every page, takes 200. */
function copyDatabase(serverUrl: string, template: string, name: string): Promise<void> {
  return onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
}

/** Creates the templates that test databases are copied from. Called once, before the tests. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${MIGRATED}`);
  await withDatabase(databaseUrlOf(serverUrl, MIGRATED), (db) => migrate(db, silentLog));
  await copyDatabase(serverUrl, MIGRATED, TEMPLATE);
  await withDatabase(databaseUrlOf(serverUrl, TEMPLATE), (db) =>
    db.pool.query(`
      create table test_clock (frozen_at timestamptz, offset_ms bigint not null);
      insert into test_clock values (null, 0);
      create or replace function bursar_now() returns timestamptz language sql volatile parallel safe
        as $$ select coalesce(frozen_at, clock_timestamp()) + offset_ms * interval '1 ms' from public.test_clock $$;`),
  );
}

async function withDatabase(url: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = connectDatabase({ url, poolSize: 1, log: silentLog });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

/** The same server with another database. */
export function databaseUrlOf(serverUrl: string, database: string): string {
  return serverUrl.replace(/\/[^/]*$/, `/${database}`);
}

function testServerUrl(): string {
  const url = process.env["BURSAR_TEST_DATABASE_URL"];
  if (!url) throw new Error("This test needs PostgreSQL: run it as `npm test -- path/of/the.test.ts`.");
  return url;
}

async function onServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
