import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestBucket } from "../../../test/s3-server.ts";
import type { Config } from "../config/index.ts";
import { connectDatabase, EmbeddedPostgresError, openDatabase, PooledSessionsError } from "../db/index.ts";
import { createEmptyDatabase, databaseUrlOf } from "../db/testing.ts";
import { silentLog } from "../telemetry/index.ts";
import type { CliHost } from "./cli-host.ts";
import { examineWith, listenSilently, named } from "./doctor/testing.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;

beforeAll(async () => {
  cli = await createCliHarness();
});

afterAll(() => cli.drop());

const examine = (env: Record<string, string> = {}, host: Partial<CliHost> = {}) =>
  examineWith(cli, env, host);

describe("doctor", () => {
  test("a healthy installation has nothing broken, exit 0", async () => {
    const { code, checks } = await examine();
    expect(code).toBe(0);
    expect(checks.filter((check) => check.state === "broken")).toEqual([]);
    expect(new Set(checks.map((check) => check.name))).toEqual(
      new Set([
        "settings",
        "data folder",
        "object store",
        "disk",
        "database",
        "durability",
        "migrations",
        "time",
        "port",
        "models",
        "payments",
        "mail",
      ]),
    );
    const { out } = await cli.run("doctor");
    expect(out).toMatch(/ok +database +DATABASE_URL answers \(PostgreSQL \d/);
  });

  test("every wrong setting is named with what it accepts, and the other checks still run", async () => {
    const { code, checks } = await examine({ HOST: "not a host", BURSAR_ENV: "prod", BURSAR_TYPO: "1" });
    expect(code).toBe(1);
    expect(named(checks, "settings").map((check) => [check.state, check.finding])).toEqual(
      expect.arrayContaining([
        ["broken", expect.stringContaining("HOST: must be an IP address")],
        ["broken", expect.stringContaining("BURSAR_ENV: must be one of")],
        ["warning", "BURSAR_TYPO is not a setting"],
      ]),
    );
    expect(named(checks, "database")[0]?.state).toBe("ok");
  });

  test("nothing is checked with the default that replaces a wrong setting", async () => {
    const namesWith = async (env: Record<string, string>, host: Partial<CliHost> = {}) =>
      (await examine(env, host)).checks.map(({ name, state }) => `${name} ${state}`);
    const port = await namesWith({ PORT: "abc" });
    expect(port.filter((check) => check.startsWith("port"))).toEqual([]);
    const guessed = await namesWith({ BURSAR_ENV: "prod" });
    expect(guessed.filter((check) => /^(public address|proxy|models|payments)/.test(check))).toEqual([]);
    const openDatabase = () => Promise.reject(new Error("must not be tried"));
    for (const url of ["foo", "mysql://a/b", "postgresql://a/b?sslnegotiation=direct"]) {
      const checks = await namesWith({ DATABASE_URL: url }, { openDatabase });
      expect(checks.filter((check) => check.startsWith("database"))).toEqual(["database untried"]);
    }
  });

  test("a full disk is reported as such, with the advice to free some space", async () => {
    const openDatabase = () =>
      Promise.reject(new EmbeddedPostgresError("initdb failed (could not write: No space left on device)"));
    const { checks } = await examine({}, { openDatabase });
    expect(named(checks, "database")).toMatchObject([{ state: "broken", fix: "Free some space." }]);
    expect(named(checks, "database")[0]?.finding).toContain("No space left on device). Free some space");
  });

  test("a database that does not answer is broken, with what to check and without the password", async () => {
    const url = "postgresql://bursar:hunter2@127.0.0.1:1/bursar";
    const openDatabase = async () => connectDatabase({ url, poolSize: 1, log: silentLog });
    const { code, checks } = await examine({}, { openDatabase });
    expect(code).toBe(1);
    const [database] = named(checks, "database");
    expect(database).toMatchObject({ state: "broken", fix: expect.stringContaining("Check DATABASE_URL") });
    expect(JSON.stringify(checks)).not.toContain("hunter2");
    const { out } = await cli.runWith({ openDatabase }, "doctor");
    expect(out).toContain("→ Check DATABASE_URL");
    expect(out).toContain("1 thing is broken");
  });

  test("a database without a free connection is broken, with the advice to change limits", async () => {
    const role = `test_no_connection_${process.pid}`;
    const { pool, url } = cli.database.db;
    await pool.query(`create role ${role} login password 'x' connection limit 0`);
    const { code, checks } = await examine(
      { DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${role}:x@`) },
      { openDatabase: (config: Config) => openDatabase({ ...config, poolSize: 1, log: silentLog }) },
    );
    await pool.query(`drop role ${role}`);
    expect([code, named(checks, "database")]).toEqual([
      1,
      [
        {
          name: "database",
          state: "broken",
          finding: `DATABASE_URL has no connection left (too many connections for role "${role}")`,
          fix: "Raise max_connections of the server or the limit of the role (`alter role … connection limit`), or lower BURSAR_DATABASE_POOL: each process opens that many connections, and up to nine more.",
        },
      ],
    ]);
  });

  test("a pooler that does not keep sessions is broken", async () => {
    const openDatabase = () =>
      Promise.reject(new PooledSessionsError("postgresql://db.internal:6432/bursar"));
    const { code, checks } = await examine({}, { openDatabase });
    expect([code, named(checks, "database")]).toMatchObject([
      1,
      [{ state: "broken", fix: "Set `pool_mode = session` in PgBouncer, or name the server itself." }],
    ]);
  });

  test("a database in another encoding than UTF8 is broken, with how to create a right one", async () => {
    const name = `test_latin1_doctor_${process.pid}`;
    const { pool, url } = cli.database.db;
    await pool.query(
      `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
    );
    const { code, checks } = await examine(
      { DATABASE_URL: databaseUrlOf(url, name) },
      { openDatabase: (config: Config) => openDatabase({ ...config, poolSize: 1, log: silentLog }) },
    );
    await pool.query(`drop database ${name}`);
    expect([code, named(checks, "database")]).toEqual([
      1,
      [
        {
          name: "database",
          state: "broken",
          finding:
            "DATABASE_URL names a database with the encoding LATIN1, which cannot store every character",
          fix: "Make one of UTF8: `create database … encoding 'UTF8' template template0`.",
        },
      ],
    ]);
  });

  test("commits that do not wait for the disk are a warning", async () => {
    const alter = (change: string) =>
      cli.database.db.pool.query(
        `do $$ begin execute format('alter database %I ${change}', current_database()); end $$`,
      );
    const durability = async () =>
      named((await examine()).checks, "durability").map(({ finding }) => finding);
    // The test server writes to memory.
    const unsafe = "fsync is off: a crash of its machine may destroy the database";
    expect(await durability()).toEqual([unsafe]);
    await alter("set synchronous_commit = off");
    const { checks } = await examine();
    await alter("reset synchronous_commit");
    expect(named(checks, "durability")).toEqual([
      {
        name: "durability",
        state: "warning",
        finding: "synchronous_commit is off; Bursar turns it on in its own sessions",
        fix: "Run `alter database … reset synchronous_commit`: other tools may lose committed data in a crash.",
      },
      expect.objectContaining({ state: "warning", finding: unsafe }),
    ]);
  });

  test("a database clock that is 10 s off is a warning, and one that is a day off is broken", async () => {
    await cli.database.advanceClock(10_000);
    expect(named((await examine()).checks, "time")[0]).toMatchObject({ state: "warning" });
    await cli.database.advanceClock(24 * 3_600_000);
    const { code, checks } = await examine();
    expect([code, named(checks, "time")[0]?.state]).toEqual([1, "broken"]);
    await cli.database.advanceClock(-24 * 3_600_000 - 10_000);
  });

  test("a role that may not create the missing tables is broken", async () => {
    const role = `test_doctor_${process.pid}`;
    const empty = await createEmptyDatabase();
    await empty.db.pool.query(`create role ${role} login password 'x'`);
    const url = empty.db.url.replace(/\/\/[^@]*@/, `//${role}:x@`);
    const open = async () => connectDatabase({ url, poolSize: 1, log: silentLog });
    const { code, checks } = await examine({}, { openDatabase: open });
    await empty.drop();
    await cli.database.db.pool.query(`drop role ${role}`);
    expect([code, named(checks, "migrations")]).toEqual([
      1,
      [
        {
          name: "migrations",
          state: "broken",
          finding: expect.stringMatching(
            new RegExp(`^1 migration not applied yet, and the role ${role} may not create tables$`),
          ),
          fix: `Run \`alter database … owner to ${role}\`, or set another role in DATABASE_URL.`,
        },
      ],
    ]);
  });

  test("a working bucket is ok; a missing one is broken, without its key", async () => {
    const bucket = await startTestBucket();
    const right = await examine(bucket.environment);
    expect(named(right.checks, "object store")[0]).toMatchObject({
      state: "ok",
      finding: expect.stringMatching(/^bucket library at 127\.0\.0\.1:\d+$/),
    });
    const wrong = await examine({ ...bucket.environment, BURSAR_S3_BUCKET: "nobody-made-this" });
    expect([wrong.code, named(wrong.checks, "object store")[0]]).toMatchObject([
      1,
      { state: "broken", fix: expect.stringContaining("BURSAR_S3_BUCKET") },
    ]);
    expect(JSON.stringify(wrong.checks)).not.toContain("S3RVER");
    await bucket.close();
  });

  test("an error of the object store is shown without control characters or secrets, and shortened", async () => {
    const said = `\u001b]0;pwned\u0007\u001b[2J key secret-0123456789 \u202e${"long ".repeat(1_000)}`;
    const body = `<?xml version="1.0"?><Error><Code>Bad</Code><Message>${said}</Message></Error>`;
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(body, { status: 403, headers: { "content-type": "application/xml" } }),
    });
    const environment = {
      BURSAR_S3_BUCKET: "library",
      BURSAR_S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
      BURSAR_S3_ACCESS_KEY_ID: "access-0123456789",
      BURSAR_S3_SECRET_ACCESS_KEY: "secret-0123456789",
    };
    const { checks } = await examine(environment);
    const finding = named(checks, "object store")[0]?.finding ?? "";
    expect(finding).toContain("key [hidden]");
    expect(finding.length).toBeLessThan(500);
    const { out } = await cli.runWith({ inspectConfig: () => cli.inspect(environment) }, "doctor");
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  test("an objects folder that cannot be created is broken", async () => {
    const { checks } = await examine({ BURSAR_OBJECTS_DIR: join(import.meta.path, "objects") });
    expect(named(checks, "object store")[0]).toMatchObject({
      state: "broken",
      fix: expect.stringContaining("BURSAR_OBJECTS_DIR"),
    });
  });

  test("payments and mail are shown without their secrets; half a configuration is broken", async () => {
    const stripe = { STRIPE_SECRET_KEY: "sk_test_canary0123", STRIPE_WEBHOOK_SECRET: "whsec_canary0123" };
    const server = await listenSilently();
    const { port } = server.address() as { port: number };
    const mail = {
      SMTP_URL: `smtps://bursar:canary0123@127.0.0.1:${port}`,
      MAIL_FROM: "bursar@example.com",
    };
    const { checks } = await examine({ ...stripe, ...mail });
    server.close();
    expect(named(checks, "payments")[0]?.finding).toMatch(
      /^Stripe \(test mode\), reports to .*\/webhooks\/stripe$/,
    );
    expect(named(checks, "mail")[0]?.finding).toBe("through 127.0.0.1 (TLS), from bursar@example.com");
    expect(JSON.stringify(checks)).not.toContain("canary");
    const half = await examine({ STRIPE_SECRET_KEY: stripe.STRIPE_SECRET_KEY });
    expect([half.code, named(half.checks, "settings")[0]?.finding]).toEqual([
      1,
      expect.stringContaining("STRIPE_WEBHOOK_SECRET: must be set"),
    ]);
  });

  test("does not create a missing database", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "bursar-doctor-"));
    const { code, checks } = await examine(
      { DATABASE_URL: "", BURSAR_DATA_DIR: dataDir },
      {
        openDatabase: (config: Config) => openDatabase({ ...config, poolSize: 2, log: silentLog }),
      },
    );
    expect([code, named(checks, "database")]).toEqual([
      0,
      [
        {
          name: "database",
          state: "ok",
          finding: expect.stringMatching(
            /^PostgreSQL \d+\.\d+ of the data folder will be created at the first start$/,
          ),
          fix: null,
        },
      ],
    ]);
    expect(readdirSync(dataDir)).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a secret file that is too short is broken, unless BURSAR_SECRET is set", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "bursar-doctor-"));
    for (const text of ["", "short"]) {
      writeFileSync(join(dataDir, "secret"), text);
      const { code, checks } = await examine({ BURSAR_DATA_DIR: dataDir });
      expect([code, named(checks, "secret")]).toMatchObject([
        1,
        [{ state: "broken", finding: `${join(dataDir, "secret")} holds fewer than 32 characters` }],
      ]);
    }
    const set = await examine({ BURSAR_DATA_DIR: dataDir, BURSAR_SECRET: "s".repeat(40) });
    expect([set.code, named(set.checks, "secret")]).toEqual([0, []]);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a data folder that cannot be created is broken", async () => {
    const { checks } = await examine({ BURSAR_DATA_DIR: join(import.meta.path, "data") });
    expect(named(checks, "data folder")[0]).toMatchObject({ state: "broken" });
  });
});
