import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { silentLog } from "../telemetry/index.ts";
import { connectDatabase } from "./database.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

describe("database", () => {
  let one: TestDatabase;

  beforeAll(async () => {
    one = await createTestDatabase({ poolSize: 2 });
    await one.db.pool.query("create table counter (n bigint not null)");
  });

  afterAll(() => one.drop());

  async function count(): Promise<number> {
    const { rows } = await one.db.pool.query("select count(*)::int as n from counter");
    return rows[0]?.n;
  }

  test("a transaction is committed when its work succeeds and rolled back when it throws", async () => {
    await one.db.transaction((client) => client.query("insert into counter values (1)"));
    expect(await count()).toBe(1);
    const failing = one.db.transaction(async (client) => {
      await client.query("insert into counter values (2)");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await count()).toBe(1);
  });

  test("a transaction that ignores a failed statement is rejected and rolled back", async () => {
    const passedOver = one.db.transaction(async (client) => {
      await client.query("insert into counter values (3)");
      await client.query("select 1 / 0").catch(() => {});
      return "done";
    });
    await expect(passedOver).rejects.toThrow("undone");
    expect(await count()).toBe(1);
  });

  test("a connection that breaks in a transaction does not return to the pool", async () => {
    const broken = one.db.transaction((client) =>
      client.query("select pg_terminate_backend(pg_backend_pid())"),
    );
    await expect(broken).rejects.toThrow();
    for (let i = 0; i < 4; i++) expect(await count()).toBe(1);
  });

  test("an idle connection that breaks is replaced", async () => {
    await count();
    await one.db.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    for (let i = 0; i < 4; i++) expect(await count()).toBe(1);
  });

  test("a lost connection is logged as a warning before the close, but not after it", async () => {
    let warnings = 0;
    const closing = connectDatabase({
      url: one.db.url,
      poolSize: 1,
      log: { ...silentLog, warn: () => void warnings++ },
    });
    async function lose(lone: Awaited<ReturnType<typeof closing.connect>>): Promise<void> {
      const { rows } = await lone.query("select pg_backend_pid() as pid");
      const lost = new Promise((resolve) => lone.once("end", resolve));
      await one.db.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
      await lost;
      // What the pool emits for an idle connection.
      closing.pool.emit("error", new Error("terminated"), lone);
    }
    const [before, after] = [await closing.connect(), await closing.connect()];
    await lose(before);
    expect(warnings).toBeGreaterThan(1);
    warnings = 0;
    await closing.close();
    await lose(after);
    expect(warnings).toBe(0);
  });

  test("bigint arrives as text", async () => {
    const { rows } = await one.db.pool.query("select 9007199254740993::bigint as n");
    expect(rows).toEqual([{ n: "9007199254740993" }]);
  });

  test("a pooled statement has a time limit, a separate connection has none", async () => {
    const limit = "select current_setting('statement_timeout') as limit";
    expect((await one.db.pool.query(limit)).rows).toEqual([{ limit: "30s" }]);
    const alone = await one.db.connect();
    expect((await alone.query(limit)).rows).toEqual([{ limit: "0" }]);
    await alone.end();
  });
});
