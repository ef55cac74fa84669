import { randomBytes } from "node:crypto";
import pg from "pg";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { SUPERUSER } from "./embedded/own-role.ts";
import { migrate } from "./migrate.ts";

export type TestDatabase = {
  readonly db: Database;
  /** Shifts `bursar_now()` of this database, forward or back. */
  advanceClock(ms: number): Promise<void>;
  /** The same by a jump of the clock of the database's host, which nobody expects. */
  jumpClock(ms: number): Promise<void>;
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
      await db.pool.query("select advance_test_clock($1)", [ms]);
    },
    async jumpClock(ms) {
      await db.pool.query(
        `select advance_test_clock($1),
           setval('test_clock_jumped_ms', pg_sequence_last_value('test_clock_jumped_ms') + $1)`,
        [ms],
      );
    },
    async freezeClock(at) {
      await db.pool.query("select freeze_test_clock(coalesce($1::timestamptz, bursar_now()))", [at ?? null]);
    },
  };
}

/** A database without any table, for tests of how tables are made. */
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

/**
 * The time of test databases. Two sequences, and no table: a function that only adds is planned into each statement,
 * like that of a gateway. One that reads a table is run for each call, which took a tenth of PostgreSQL's time.
 * `test_clock_stopped_us` has no value until the clock is frozen.
 */
const TEST_CLOCK = `
  create sequence test_clock_ahead_ms minvalue -9223372036854775808;
  create sequence test_clock_stopped_us minvalue -9223372036854775808;
  create sequence test_clock_jumped_ms minvalue -9223372036854775808;
  select setval('test_clock_ahead_ms', 0), setval('test_clock_jumped_ms', 0);
  grant select on test_clock_ahead_ms, test_clock_stopped_us, test_clock_jumped_ms to public;

  create or replace function bursar_now() returns timestamptz language sql volatile parallel safe as $$
    select coalesce(
      timestamptz 'epoch' + pg_sequence_last_value('public.test_clock_stopped_us') * interval '1 us',
      clock_timestamp() + pg_sequence_last_value('public.test_clock_ahead_ms') * interval '1 ms')
  $$;

  create or replace function clock_offset() returns interval language sql volatile as $$
    select bursar_now() - clock_timestamp() - pg_sequence_last_value('public.test_clock_jumped_ms') * interval '1 ms'
  $$;

  create function advance_test_clock(ms bigint) returns void language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(hashtext('test_clock'));
    if pg_sequence_last_value('public.test_clock_stopped_us') is null then
      perform setval('public.test_clock_ahead_ms', pg_sequence_last_value('public.test_clock_ahead_ms') + ms);
    else
      perform setval('public.test_clock_stopped_us', pg_sequence_last_value('public.test_clock_stopped_us') + ms * 1000);
    end if;
  end $$;

  create function freeze_test_clock(at timestamptz) returns void language sql as $$
    select setval('public.test_clock_stopped_us', (extract(epoch from at) * 1000000)::bigint)
  $$;`;

/** Creates the templates that test databases are copied from. Called once, before the tests. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${MIGRATED}`);
  await withDatabase(databaseUrlOf(serverUrl, MIGRATED), (db) => migrate(db, silentLog));
  await copyDatabase(serverUrl, MIGRATED, TEMPLATE);
  await withDatabase(databaseUrlOf(serverUrl, TEMPLATE), (db) => db.pool.query(TEST_CLOCK));
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

/** An embedded server's superuser, who has the password of the gateway's role. */
export function superuserUrlOf(embeddedUrl: string): string {
  return embeddedUrl.replace(/\/\/[^:]*:/, `//${SUPERUSER}:`);
}

function testServerUrl(): string {
  const url = process.env["BURSAR_TEST_DATABASE_URL"];
  if (!url) throw new Error("This test needs PostgreSQL: run it as `npm test -- path/of/the.test.ts`.");
  return url;
}

/** Runs a statement on the server that all test databases share. */
export async function onServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
