import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import type pg from "pg";
import { createTestDatabase } from "../db/testing.ts";

const database = await createTestDatabase({ poolSize: 2 });
const { db } = database;
afterAll(() => database.drop());

let session: pg.Client;
beforeEach(async () => {
  session = await db.connect();
});
afterEach(async () => {
  await session.end();
  const { rows } = await db.pool.query(
    "select relname from pg_class join pg_inherits on inhrelid = oid where inhparent = 'requests'::regclass",
  );
  for (const { relname } of rows) {
    if (relname !== "requests_default") await db.pool.query(`drop table ${relname}`);
  }
});

/** From a session in another time zone, at the beginning of each of these months. */
async function makeInEachMonth(zone: string, months: readonly string[]): Promise<void> {
  await session.query("select set_config('timezone', $1, false)", [zone]);
  for (const month of months) {
    await database.freezeClock(new Date(`${month}-01T00:30:00Z`));
    await session.query("select make_request_partitions()");
  }
}

async function partition(name: string, from: string, to: string): Promise<void> {
  const bounds = `from (''' || id_at('${from}') || ''') to (''' || id_at('${to}') || ''')`;
  await db.pool.query(
    `do $$ begin execute 'create table ${name} partition of requests for values ${bounds}'; end $$`,
  );
}

/** Name, beginning and end of each partition, in UTC. */
async function made(): Promise<string[]> {
  const { rows } = await db.pool.query(`
    select relname, array(select to_char(to_timestamp(('x' || lpad(replace(left(m[1], 13), '-', ''), 16, '0'))::bit(64)::bigint
        / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')
      from regexp_matches(pg_get_expr(relpartbound, oid), '''([0-9a-f-]+)''', 'g') m) as bounds
    from pg_class join pg_inherits on inhrelid = oid
    where inhparent = 'requests'::regclass and relname <> 'requests_default' order by 1`);
  return rows.map(({ relname, bounds }) => `${relname}: ${bounds.join(" ")}`);
}

describe("monthly partitions", () => {
  test.each(["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kolkata"])(
    "follow UTC when the session's time zone is %s",
    async (zone) => {
      await makeInEachMonth(zone, ["2050-02", "2050-03", "2050-09", "2050-10", "2050-11"]);
      expect(await made()).toEqual([
        "requests_2050_02: 2050-02-01T00:00 2050-03-01T00:00",
        "requests_2050_03: 2050-03-01T00:00 2050-04-01T00:00",
        "requests_2050_04: 2050-04-01T00:00 2050-05-01T00:00",
        "requests_2050_05: 2050-05-01T00:00 2050-06-01T00:00",
        "requests_2050_09: 2050-09-01T00:00 2050-10-01T00:00",
        "requests_2050_10: 2050-10-01T00:00 2050-11-01T00:00",
        "requests_2050_11: 2050-11-01T00:00 2050-12-01T00:00",
        "requests_2050_12: 2050-12-01T00:00 2051-01-01T00:00",
        "requests_2051_01: 2051-01-01T00:00 2051-02-01T00:00",
      ]);
    },
  );

  test("take the free range when existing ones reach into another month", async () => {
    await partition("requests_2050_10", "2050-10-01T00:00Z", "2050-11-01T01:00Z");
    await partition("requests_2050_11", "2050-11-01T01:00Z", "2050-12-01T01:00Z");
    await partition("requests_2050_x", "2051-01-31T00:00Z", "2051-03-01T00:00Z");
    await makeInEachMonth("Europe/Berlin", ["2050-10", "2050-11", "2050-12"]);
    expect(await made()).toEqual([
      "requests_2050_10: 2050-10-01T00:00 2050-11-01T01:00",
      "requests_2050_11: 2050-11-01T01:00 2050-12-01T01:00",
      "requests_2050_12: 2050-12-01T01:00 2051-01-01T00:00",
      "requests_2050_x: 2051-01-31T00:00 2051-03-01T00:00",
      "requests_2051_01: 2051-01-01T00:00 2051-01-31T00:00",
    ]);
  });

  test("take the free range after one that begins with their month", async () => {
    await partition("requests_2050_x", "2050-10-01T00:00Z", "2050-10-08T00:00Z");
    await makeInEachMonth("UTC", ["2050-10"]);
    expect((await made())[0]).toBe("requests_2050_10: 2050-10-08T00:00 2050-11-01T00:00");
  });

  test("are whole beside another table's partition of the same time", async () => {
    await db.pool.query(`do $$ begin create table others (id uuid) partition by range (id);
      execute format('create table others_2050_10 partition of others for values from (%L) to (%L)',
        id_at('2050-10-08T00:00Z'), id_at('2050-10-15T00:00Z')); end $$`);
    await makeInEachMonth("UTC", ["2050-10"]);
    await db.pool.query("drop table others");
    expect((await made())[0]).toBe("requests_2050_10: 2050-10-01T00:00 2050-11-01T00:00");
  });

  test("do not overlap existing ones without a beginning or an end", async () => {
    await db.pool.query(`do $$ begin execute format('create table requests_old partition of requests for values
      from (minvalue) to (%L)', id_at('2050-10-08T00:00Z')); execute format('create table requests_new partition of
      requests for values from (%L) to (maxvalue)', id_at('2050-11-10T00:00Z')); end $$`);
    await makeInEachMonth("UTC", ["2050-10"]);
    expect((await made()).slice(0, 2)).toEqual([
      "requests_2050_10: 2050-10-08T00:00 2050-11-01T00:00",
      "requests_2050_11: 2050-11-01T00:00 2050-11-10T00:00",
    ]);
  });
});
