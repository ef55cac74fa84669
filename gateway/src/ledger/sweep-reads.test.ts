import { afterAll, expect, test } from "bun:test";
import { rowsReadBy } from "../../../test/rows-read.ts";
import { createTestDatabase } from "../db/testing.ts";
import { expirePeriods, forgetOldReplies } from "./sweeper.ts";

const database = await createTestDatabase({ poolSize: 1 });
const { db } = database;
afterAll(() => database.drop());

const REPLIES = 2_000;
/** With fewer, the planner would not use their index. */
const ACCOUNTS = 10_000;

test("the sweep for old replies reads few of those that have not expired", async () => {
  await keepReplies(REPLIES, "1 hour");
  const ofNone = await rowsReadBy(db, "idempotency", () => forgetOldReplies(db));
  expect(ofNone.inSequence + ofNone.byIndex).toBeLessThan(REPLIES / 10);
});

test("the sweep for ended periods reads each account once, sequentially", async () => {
  await db.pool.query(
    `insert into accounts (org_id, period_start, period_end)
     select gen_random_uuid(), bursar_now(), bursar_now() + interval '1 hour' from generate_series(1, $1)`,
    [ACCOUNTS],
  );
  await db.pool.query("analyze accounts");
  const read = await rowsReadBy(db, "accounts", () => expirePeriods(db));
  expect(read).toEqual({ inSequence: ACCOUNTS, byIndex: 0 });
});

test("one run deletes all old replies, unless its time is over", async () => {
  const old = 10_501;
  await keepReplies(old, "-1 hour");
  expect(await forgetOldReplies(db, { withinMs: 0 })).toBe(500);
  expect(await forgetOldReplies(db)).toBe(old - 500);
});

async function keepReplies(count: number, endIn: string): Promise<void> {
  await db.pool.query(
    `insert into idempotency (org_id, endpoint, key, fingerprint, request_id, state, reply, expires_at, key_id)
     select gen_random_uuid(), 'chat', n::text, '', gen_random_uuid(), 'done', '{}', bursar_now() + $2::interval,
       gen_random_uuid()
     from generate_series(1, $1) n`,
    [count, endIn],
  );
  await db.pool.query("analyze idempotency");
}
