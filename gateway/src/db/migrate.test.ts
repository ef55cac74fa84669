import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createBaseDatabase } from "../../../test/upgrade/base-database.ts";
import { createLog, silentLog } from "../telemetry/index.ts";
import { connectDatabase, type Database } from "./database.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { readSqlSources } from "./sql-sources.ts";
import { createEmptyDatabase } from "./testing.ts";

const FIRST =
  "create table schema_migrations (name text, checksum text, applied_at timestamptz); create table first (id int);";
const refusing = (words: string) =>
  `create or replace function refuse() returns trigger language plpgsql as $$ begin raise '${words}'; end $$;`;
/** Fails where the table has no row. */
const SHARE_OF_THIRD =
  "create or replace function share(t third) returns bigint language sql as 'select 1 / count(*) from third';";

describe("migrate", () => {
  let folder: string;
  let db: Database;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
    ({ db, drop } = await createEmptyDatabase());
    write("version", "32");
    write("tables.sql", FIRST);
    write("functions/bursar_now.sql", readSqlSources().tables[0]?.sql ?? "");
    write("functions/refuse.sql", refusing("append-only"));
    write("bindings.sql", "create trigger stays before update on first execute function refuse();");
  });

  afterEach(async () => {
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, text: string): void {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** A next version that changes the tables of older databases. */
  function writeNext(change: string): void {
    write("version", "33");
    write("changes/0033_next.sql", change);
  }

  const run = (on: Database = db) => migrate(on, silentLog, folder);

  async function tableExists(name: string): Promise<boolean> {
    const { rows } = await db.pool.query("select to_regclass($1) is not null as found", [name]);
    return rows[0]?.found === true;
  }

  test("makes a new database once, and brings it to a later version once", async () => {
    expect(await pendingMigrations(db, folder)).toEqual(["0032_version"]);
    expect((await run()).applied).toEqual(["0032_version"]);
    expect((await run()).applied).toEqual([]);
    await expect(db.pool.query("update first set id = 1")).rejects.toThrow("append-only");
    writeNext("alter table first add column note text;");
    expect(await pendingMigrations(db, folder)).toEqual(["0033_version"]);
    expect((await run()).applied).toEqual(["0033_version"]);
    expect((await run()).applied).toEqual([]);
    await db.pool.query("select note from first");
  });

  test("makes the changes of all versions passed: those of tables, then functions, then those of bindings", async () => {
    await run();
    write("changes/0033_third.sql", "create table third (id int);");
    write("changes/0033_third.bindings.sql", "drop trigger stays on first; drop function refuse;");
    write("changes/0034_row.sql", "insert into third values (1);");
    write("changes/0034_row.bindings.sql", "alter table third add check (share(third) > 0);");
    write("functions/share.sql", SHARE_OF_THIRD);
    rmSync(join(folder, "functions/refuse.sql"));
    write("version", "34");
    expect((await run()).applied).toEqual(["0034_version"]);
    await db.pool.query("update first set id = 1; insert into third values (2)");
  });

  test("knows the tables of the base by their name, and makes none of them in a new database", async () => {
    write("tables-0031.sql", "create table of_the_base (id int);");
    expect(readSqlSources(folder).baseTables.map(({ name }) => name)).toEqual([
      "functions/bursar_now.sql",
      "tables-0031.sql",
    ]);
    await run();
    expect(await tableExists("of_the_base")).toBe(false);
  });

  test("replaces a function without waiting for those who use the tables", async () => {
    await run();
    write("version", "33");
    write("functions/refuse.sql", refusing("read-only"));
    const user = await db.connect();
    try {
      await user.query("begin; lock table first in access exclusive mode");
      const pace = { lockMs: 1, pauseMs: 1, withinMs: 1 };
      expect((await migrate(db, silentLog, folder, pace)).applied).toEqual(["0033_version"]);
    } finally {
      await user.end();
    }
    await expect(db.pool.query("update first set id = 1")).rejects.toThrow("read-only");
  });

  test("replaces a function where the tables are, whatever the search_path names", async () => {
    await run();
    write("version", "33");
    write("functions/refuse.sql", refusing("read-only"));
    const name = db.url.split("/").at(-1);
    await db.pool.query(`create schema odd; alter database ${name} set search_path = odd, public`);
    await run();
    await expect(db.pool.query("update first set id = 1")).rejects.toThrow("read-only");
  });

  test("logs one line for a new database, and one for an upgrade", async () => {
    const told: unknown[] = [];
    const tell = (line: string) => void told.push(JSON.parse(line));
    const log = createLog({
      level: "info",
      keyPrefix: "svc_live_",
      sink: { write: tell, flush() {}, async end() {} },
    });
    await migrate(db, log, folder);
    writeNext("alter table first add column note text;");
    await migrate(db, log, folder);
    await migrate(db, log, folder);
    expect(told).toMatchObject([
      { event: "database_made", name: "0032_version" },
      { event: "migration_applied", name: "0033_version" },
    ]);
    expect(told).toHaveLength(2);
  });

  test("brings an empty database up to date with the real files", async () => {
    expect([(await migrate(db, silentLog)).applied.length, await pendingMigrations(db)]).toEqual([1, []]);
  });

  test("two concurrent runs apply everything exactly once", async () => {
    write("tables.sql", `${FIRST} select pg_sleep(0.05);`);
    const other = connectDatabase({ url: db.url, poolSize: 1, log: silentLog });
    const both = await Promise.all([run(), run(other)]);
    await other.close();
    expect(both.flatMap((outcome) => outcome.applied)).toEqual(["0032_version"]);
  });

  test("an upgrade that fails leaves everything as it was", async () => {
    await run();
    writeNext("create table second (id int);");
    write("functions/refuse.sql", refusing("read-only"));
    write("changes/0033_next.bindings.sql", "select 1 / 0;");
    await expect(run()).rejects.toThrow("The database cannot be brought to this version: division by zero.");
    expect(await tableExists("second")).toBe(false);
    await expect(db.pool.query("update first set id = 1")).rejects.toThrow("append-only");
    rmSync(join(folder, "changes/0033_next.bindings.sql"));
    expect((await run()).applied).toEqual(["0033_version"]);
  });

  test("an upgrade whose process is killed leaves everything as it was, and the next start makes it", async () => {
    await run();
    writeNext("create table second (id int); select pg_sleep(60);");
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

    writeNext("create table second (id int);");
    expect((await run()).applied).toEqual(["0033_version"]);
  });

  describe("while a long transaction reads the table, as a backup does", () => {
    const PACE = { lockMs: 20, pauseMs: 5, withinMs: 60_000 };
    let backup: Awaited<ReturnType<Database["connect"]>>;

    beforeEach(async () => {
      await run();
      writeNext("alter table first add column note text;");
      backup = await db.connect();
      await backup.query("begin transaction isolation level repeatable read read only; table first;");
    });

    afterEach(() => backup.end());

    test("a change waits without blocking other writers, and logs that once", async () => {
      const warned: unknown[] = [];
      const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
      const migrated = migrate(db, log, folder, PACE);
      const waits = "select 1 from pg_locks where not granted and relation = 'first'::regclass";
      for (let seen = 0; seen < 3; ) seen += (await db.pool.query(waits)).rowCount ?? 0;
      await db.pool.query("begin; set local lock_timeout = '3s'; insert into first values (1); commit;");
      await backup.query("commit");
      expect((await migrated).applied).toEqual(["0033_version"]);
      expect(warned).toEqual([
        [
          "migration_waits",
          {
            name: "0033_version",
            error: "canceling statement due to lock timeout",
            up_to_ms: PACE.withinMs,
          },
        ],
      ]);
    });

    test("a change gives up after withinMs", async () => {
      await expect(migrate(db, silentLog, folder, { ...PACE, withinMs: 30 })).rejects.toThrow(
        "The database cannot be brought to this version: canceling statement due to lock timeout: its tables are in use, for example by a backup (see pg_stat_activity); start again once they are free.",
      );
      await backup.query("commit");
      expect((await run()).applied).toEqual(["0033_version"]);
    });
  });

  test("a change that loses a deadlock is applied all the same", async () => {
    write("tables.sql", `${FIRST} create table second (id int);`);
    await run();
    const lockBoth = "set local deadlock_timeout = '300ms'; lock table first; lock table second;";
    writeNext(`${lockBoth} create table third (id int);`);
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
      expect((await migrated).applied).toEqual(["0033_version"]);
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
        `The database cannot be brought to this version: permission denied for schema public: run \`alter database … owner to ${role}\`, or set another role in DATABASE_URL.`,
      );
      await run();
      writeNext("alter table first add column name text;");
      await db.pool.query(`grant select on schema_migrations to ${role}; alter table first owner to ${role}`);
      await db.pool.query(`grant usage on schema public to ${role}`);
      await expect(run(strange)).rejects.toThrow(
        `The database cannot be brought to this version: permission denied for schema public: run \`alter database … owner to ${role}\`, or set another role in DATABASE_URL.`,
      );
      await db.pool.query(
        `grant create on schema public to ${role}; alter table first owner to current_user`,
      );
      await expect(run(strange)).rejects.toThrow(
        `The database cannot be brought to this version: must be owner of table first: set the role that owns the tables in DATABASE_URL, or run \`reassign owned by … to ${role}\`.`,
      );
    } finally {
      await strange.close();
      await db.pool.query(`drop owned by ${role}; drop role ${role}`);
    }
  });

  test("refuses files that were changed without a new version", async () => {
    await run();
    write("functions/refuse.sql", refusing("read-only"));
    await expect(run()).rejects.toThrow(
      "The database has another version 32 of the SQL than this Bursar: restore the files in gateway/sql/, or raise the number in gateway/sql/version.",
    );
  });

  test.each([
    ["comes late", "changes/0033_late.sql"],
    ["has changed since", "changes/0033_next.sql"],
  ])("refuses a change of a version that the database has passed, if it %s", async (_, name) => {
    await run();
    writeNext("create table second (id int);");
    await run();
    write("version", "34");
    write(name, "create table third (id int);");
    await expect(run()).rejects.toThrow(`${name} is not what the database had of it at version 33`);
    expect(await tableExists("third")).toBe(false);
  });

  test("lets a new database know the changes that it was made with", async () => {
    write("changes/0032_older.sql", "create table older (id int);");
    await run();
    write("version", "33");
    expect((await run()).applied).toEqual(["0033_version"]);
    expect(await tableExists("older")).toBe(false);
  });

  test("does not treat other line ends as a change", async () => {
    write("tables.sql", FIRST.replaceAll(";", ";\n"));
    await run();
    write("tables.sql", FIRST.replaceAll(";", ";\r\n"));
    expect((await run()).applied).toEqual([]);
  });

  test("refuses a database of a newer version, and leaves its functions alone", async () => {
    write("version", "33");
    await run();
    write("version", "32");
    write("functions/refuse.sql", refusing("of an older version"));
    await expect(run()).rejects.toThrow(
      "The database has version 33 of the SQL, and this version of Bursar knows none after 32: use the newer version of Bursar.",
    );
    await expect(db.pool.query("update first set id = 1")).rejects.toThrow("append-only");
  });
});

describe("a database that migrations made", () => {
  let base: Awaited<ReturnType<typeof createBaseDatabase>>;
  beforeEach(async () => {
    base = await createBaseDatabase();
  });
  afterEach(() => base.drop());

  const OLDER =
    "The database is not at the migration 0031_catalog_marks.sql: bring it there with Bursar 0.1.0, the last with a folder migrations/, then use this version.";

  test("gets a row for the version and each change to it, and its own stay as they were", async () => {
    const rows = async () => (await base.db.pool.query("select * from schema_migrations order by name")).rows;
    const before = await rows();
    const { applied } = await migrate(base.db, silentLog);
    const added = [...applied, ...readSqlSources().changes.map(({ name }) => name)];
    const isOlder = ({ name }: { name: string }) => !added.includes(name);
    expect((await rows()).filter(isOlder)).toEqual(before);
  });

  test.each([
    ["one is missing", "delete from schema_migrations where name like '0031%'"],
    ["one was changed", "update schema_migrations set checksum = 'x' where name like '0007%'"],
    ["there is one more", "insert into schema_migrations values ('0032_other.sql', 'x', now())"],
  ])("is refused where %s", async (_, change) => {
    await base.db.pool.query(change);
    await expect(migrate(base.db, silentLog)).rejects.toThrow(OLDER);
    await expect(pendingMigrations(base.db)).rejects.toThrow(OLDER);
  });
});
