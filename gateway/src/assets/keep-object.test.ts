import { afterAll, beforeAll, expect, test } from "bun:test";
import { TINY_PNG } from "../../../test/published-asset.ts";
import type { Database } from "../db/index.ts";
import { connectWithOutages, type OutageDatabase } from "../db/outage-testing.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { newId } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createKeeper } from "./keep-object.ts";
import type { ObjectStore } from "./object-store.ts";

const IS_503 = { status: 503, options: { retryAfterSeconds: 10 } };
const PICTURE = { area: "assets", bytes: TINY_PNG, mediaType: "image/png", keepForMs: 60_000 } as const;

let database: TestDatabase;
let outage: OutageDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  outage = connectWithOutages(database.db.url);
});
afterAll(async () => {
  await outage.db.close();
  await database.drop();
});

/** A store that accepts everything and records its keys. */
function keeperOn(db: Database, databaseWaitMs: number) {
  const written: string[] = [];
  const events: string[] = [];
  const objects: ObjectStore = {
    description: "a store that takes everything",
    write: async (key) => void written.push(key),
    sizeOf: async () => null,
    read: () => Promise.reject(new Error("nothing here")),
    blobOf: () => null,
    delete: async () => {},
  };
  const log = { ...silentLog, error: (event: string) => events.push(event) };
  const keep = createKeeper({ db, objects, log, databaseWaitMs });
  return { keep: () => keep({ orgId: newId(), ...PICTURE }), written, events };
}

async function notesOf(objectKey: string): Promise<number> {
  const { rows } = await database.db.pool.query("select from stray_objects where object_key = $1", [
    objectKey,
  ]);
  return rows.length;
}

test("an object is kept despite a short database outage", async () => {
  const { keep, written, events } = keeperOn(outage.db, 5_000);
  // An open connection, so that it meets the outage at once.
  await outage.db.pool.query("select 1");
  outage.goAwayAt(1);
  const kept = keep();
  await Bun.sleep(20);
  expect([outage.comeBack(), written]).toEqual([true, []]);
  const objectKey = await kept;
  expect([written, await notesOf(objectKey), events]).toEqual([[objectKey], 1, []]);
});

test("a record of an object whose response was lost is not written twice", async () => {
  const { pool } = database.db;
  let asked = 0;
  const deaf = {
    ...database.db,
    pool: {
      async query(statement: string) {
        await pool.query(statement);
        if (++asked === 1) throw new Error("Connection terminated unexpectedly");
      },
    },
  } as unknown as Database;
  const { keep } = keeperOn(deaf, 5_000);
  expect([await notesOf(await keep()), asked]).toEqual([1, 2]);
});

test("a database that stays away or never responds ends in a 503, before anything is written", async () => {
  const silent = { ...database.db, pool: { query: () => new Promise(() => {}) } } as unknown as Database;
  outage.goAwayAt(1);
  for (const db of [outage.db, silent]) {
    const { keep, written, events } = keeperOn(db, 60);
    await expect(keep()).rejects.toMatchObject(IS_503);
    expect([written, events]).toEqual([[], ["object_not_noted"]]);
  }
  outage.comeBack();
});

test("a refused statement is not retried", async () => {
  let asked = 0;
  const refusing = {
    ...database.db,
    pool: {
      query() {
        asked++;
        return Promise.reject(Object.assign(new Error("disk full"), { code: "53100" }));
      },
    },
  } as unknown as Database;
  const { keep, events } = keeperOn(refusing, 5_000);
  await expect(keep()).rejects.toMatchObject(IS_503);
  expect([asked, events]).toEqual([1, ["object_not_noted"]]);
});
