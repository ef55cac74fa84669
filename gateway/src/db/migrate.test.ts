import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { MIGRATIONS_DIR, migrate, pendingMigrations } from "./migrate.ts";
import { createEmptyDatabase } from "./testing.ts";

describe("migrate", () => {
  let folder: string;
  let db: Database;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
    ({ db, drop } = await createEmptyDatabase());
    write("0000_clock.sql", readFileSync(join(MIGRATIONS_DIR, "0000_clock.sql"), "utf8"));
    write("0001_first.sql", "create table first (id int);");
  });

  afterEach(async () => {
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, sql: string): void {
    writeFileSync(join(folder, name), sql);
  }

  const run = (on: Database = db) => migrate(on, silentLog, folder);

  async function tableExists(name: string): Promise<boolean> {
    const { rows } = await db.pool.query("select to_regclass($1) is not null as found", [name]);
    return rows[0]?.found === true;
  }

  test("applies each file once, in order, and later only new ones", async () => {
    expect(await pendingMigrations(db, folder)).toEqual(["0000_clock.sql", "0001_first.sql"]);
    expect((await run()).applied).toEqual(["0000_clock.sql", "0001_first.sql"]);
    write("0002_second.sql", "alter table first add column note text;");
    expect(await pendingMigrations(db, folder)).toEqual(["0002_second.sql"]);
    expect((await run()).applied).toEqual(["0002_second.sql"]);
    expect((await run()).applied).toEqual([]);
  });

  test("logs one line for a new database, and one per file for an upgrade", async () => {
    const told: unknown[] = [];
    const tell = (line: string) => void told.push(JSON.parse(line));
    const log = createLog({
      level: "info",
      keyPrefix: "svc_live_",
      sink: { write: tell, flush() {}, async end() {} },
    });
    await migrate(db, log, folder);
    write("0002_second.sql", "alter table first add column note text;");
    await migrate(db, log, folder);
    await migrate(db, log, folder);
    expect(told).toMatchObject([
      { event: "database_made", migrations: 2 },
      { event: "migration_applied", name: "0002_second.sql" },
    ]);
    expect(told).toHaveLength(2);
  });

  test("brings an empty database up to date with the real files", async () => {
    await migrate(db, silentLog);
    expect(await pendingMigrations(db)).toEqual([]);
  });

  test("two concurrent runs apply everything exactly once", async () => {
    write("0001_first.sql", "create table first (id int); select pg_sleep(0.05);");
    const other = connectDatabase({ url: db.url, poolSize: 1, log: silentLog });
    const both = await Promise.all([run(), run(other)]);
    await other.close();
    expect(both.flatMap((outcome) => outcome.applied).sort()).toEqual(["0000_clock.sql", "0001_first.sql"]);
  });

  test("a file that fails is rolled back, and those before it stay", async () => {
    write("0002_second.sql", "create table second (id int); select 1 / 0;");
    await expect(run()).rejects.toThrow("migrations/0002_second.sql failed: division by zero.");
    expect(await tableExists("first")).toBe(true);
    expect(await tableExists("second")).toBe(false);
    write("0002_second.sql", "create table second (id int);");
    expect((await run()).applied).toEqual(["0002_second.sql"]);
  });

  test("a file whose process is killed is rolled back, and the next start applies it", async () => {
    write("0002_second.sql", "create table second (id int); select pg_sleep(60);");
    const script = `
      const { connectDatabase, migrate } = await import(${JSON.stringify(join(import.meta.dir, "index.ts"))});
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const db = connectDatabase({ url: ${JSON.stringify(db.url)}, poolSize: 1, log });
      await migrate(db, log, ${JSON.stringify(folder)});`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "inherit" });
    const sleeping =
      "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    while ((await db.pool.query(sleeping)).rowCount === 0) await Bun.sleep(10);
    child.kill("SIGKILL");
    await child.exited;

    write("0002_second.sql", "create table second (id int);");
    expect((await run()).applied).toEqual(["0002_second.sql"]);
  });

  describe("while a long transaction reads the table, as a backup does", () => {
    const PACE = { lockMs: 20, pauseMs: 5, withinMs: 60_000 };
    let backup: Awaited<ReturnType<Database["connect"]>>;

    beforeEach(async () => {
      await run();
      write("0002_second.sql", "alter table first add column note text;");
      backup = await db.connect();
      await backup.query("begin transaction isolation level repeatable read read only; table first;");
    });

    afterEach(() => backup.end());

    test("a file waits without blocking other writers, and logs that once", async () => {
      const warned: unknown[] = [];
      const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
      const migrated = migrate(db, log, folder, PACE);
      const waits = "select 1 from pg_locks where not granted and relation = 'first'::regclass";
      for (let seen = 0; seen < 3; ) seen += (await db.pool.query(waits)).rowCount ?? 0;
      await db.pool.query("begin; set local lock_timeout = '3s'; insert into first values (1); commit;");
      await backup.query("commit");
      expect((await migrated).applied).toEqual(["0002_second.sql"]);
      expect(warned).toEqual([
        [
          "migration_waits",
          {
            name: "0002_second.sql",
            error: "canceling statement due to lock timeout",
            up_to_ms: PACE.withinMs,
          },
        ],
      ]);
    });

    test("a file gives up after withinMs", async () => {
      await expect(migrate(db, silentLog, folder, { ...PACE, withinMs: 30 })).rejects.toThrow(
        "migrations/0002_second.sql failed: canceling statement due to lock timeout: its tables are in use, for example by a backup (see pg_stat_activity); start again once they are free.",
      );
      await backup.query("commit");
      expect((await run()).applied).toEqual(["0002_second.sql"]);
    });
  });

  test("a file that loses a deadlock is applied all the same", async () => {
    write("0002_second.sql", "create table second (id int);");
    await run();
    const lockBoth = "set local deadlock_timeout = '300ms'; lock table first; lock table second;";
    write("0003_third.sql", `${lockBoth} create table third (id int);`);
    const serving = await db.connect();
    try {
      // Checks for a deadlock later than the migration, so that the migration is the one to be cancelled.
      await serving.query("begin; set local deadlock_timeout = '1min'; lock table second;");
      // PostgreSQL checks for a deadlock only once. If a busy machine gets there later, the lock timeout causes the
      // next try.
      const migrated = migrate(db, silentLog, folder, { lockMs: 3_000, pauseMs: 1, withinMs: 60_000 });
      const waits = "select 1 from pg_locks where not granted and relation = 'second'::regclass";
      while ((await db.pool.query(waits)).rowCount === 0) await Bun.sleep(10);
      await serving.query("lock table first; commit;");
      expect((await migrated).applied).toEqual(["0003_third.sql"]);
      expect(await tableExists("third")).toBe(true);
    } finally {
      await serving.end();
    }
  });

  test("says which right a role lacks: to create tables, or to change existing ones", async () => {
    const role = `test_migrate_${process.pid}`;
    await db.pool.query(`create role ${role} login password 'x'; revoke create on schema public from public`);
    const url = db.url.replace(/\/\/[^@]*@/, `//${role}:x@`);
    const strange = connectDatabase({ url, poolSize: 1, log: silentLog });
    try {
      await expect(run(strange)).rejects.toThrow(
        `The role ${role} may not create tables (permission denied for schema public): run \`alter database … owner to ${role}\`, or set another role in DATABASE_URL.`,
      );
      await run();
      write("0002_second.sql", "alter table first add column name text;");
      await db.pool.query(`grant usage, create on schema public to ${role}`);
      await db.pool.query(`grant select on schema_migrations to ${role}`);
      await expect(run(strange)).rejects.toThrow(
        `migrations/0002_second.sql failed: must be owner of table first: set the role that owns the tables in DATABASE_URL, or run \`reassign owned by … to ${role}\`.`,
      );
    } finally {
      await strange.close();
      await db.pool.query(`drop owned by ${role}; drop role ${role}`);
    }
  });

  test("refuses a file that was changed after it was applied", async () => {
    await run();
    write("0001_first.sql", "create table first (id bigint);");
    await expect(run()).rejects.toThrow(
      "migrations/0001_first.sql was changed after it was applied: restore the file and add a new migration instead.",
    );
  });

  test("does not treat other line ends as a change", async () => {
    write("0001_first.sql", "create table first (\n  id int);");
    await run();
    write("0001_first.sql", "create table first (\r\n  id int);");
    expect((await run()).applied).toEqual([]);
  });

  test("refuses a database that a newer version has migrated", async () => {
    await run();
    rmSync(join(folder, "0001_first.sql"));
    await expect(run()).rejects.toThrow(
      "The database has the migration 0001_first.sql, which this version of Bursar does not know: start the newer version.",
    );
  });

  test("refuses a file numbered before applied ones, a duplicate number and a wrong name", async () => {
    rmSync(join(folder, "0001_first.sql"));
    write("0002_second.sql", "create table second (id int);");
    await run();
    write("0001_late.sql", "select 1;");
    await expect(run()).rejects.toThrow("migrations/0001_late.sql comes before 0002_second.sql");
    write("0002_twin.sql", "select 1;");
    await expect(run()).rejects.toThrow("Two migrations carry the number 0002");
    rmSync(join(folder, "0002_twin.sql"));
    write("third.sql", "select 1;");
    await expect(run()).rejects.toThrow("migrations/third.sql must be named like 0001_what_it_brings.sql.");
  });
});
