import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

describe("a test database", () => {
  let one: TestDatabase;
  let other: TestDatabase;

  beforeAll(async () => {
    [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });

  afterAll(async () => {
    await Promise.all([one.drop(), other.drop()]);
  });

  async function clockLeadMs({ db }: TestDatabase): Promise<number> {
    const { rows } = await db.pool.query<{ lead: string }>(
      "select extract(epoch from bursar_now() - clock_timestamp()) * 1000 as lead",
    );
    return Math.round(Math.abs(Number(rows[0]?.lead)));
  }

  test("moves only its own clock", async () => {
    await one.advanceClock(86_400_000);
    expect(await clockLeadMs(one)).toBe(86_400_000);
    expect(await clockLeadMs(other)).toBe(0);
    await one.advanceClock(-86_400_000);
    expect(await clockLeadMs(one)).toBe(0);
  });

  test("can freeze its clock, which then moves only when advanced", async () => {
    const now = async () => (await one.db.pool.query("select bursar_now() as at")).rows[0]?.at;
    await one.freezeClock(new Date("2031-01-01T00:00:00Z"));
    expect(await now()).toEqual(new Date("2031-01-01T00:00:00Z"));
    await one.advanceClock(1_000);
    await one.freezeClock();
    expect(await now()).toEqual(new Date("2031-01-01T00:00:01Z"));
  });

  test("shares no table with another test database", async () => {
    await one.db.pool.query("create table only_here (id int)");
    const { rows } = await other.db.pool.query("select to_regclass('only_here') as found");
    expect(rows[0]?.found).toBeNull();
  });
});
