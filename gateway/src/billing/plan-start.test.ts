import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { HOUR_MS } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createBilling } from "./index.ts";
import { TEST_PLANS } from "./testing.ts";

const NOW = new Date("2031-01-10T10:00:00.123Z");

const books = await openLedgerBooks();
const { db, ledger, database } = books;
const billing = createBilling({ db, ledger, plans: TEST_PLANS, log: silentLog });
afterAll(() => database.drop());

let orgId: string;
beforeEach(async () => {
  await database.freezeClock(NOW);
  orgId = await books.found(0);
});
afterEach(async () => {
  await db.pool.query("update organization set active = false");
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
});

async function choose(plan: string): Promise<void> {
  await db.pool.query("update organization set plan = $2 where id = $1", [orgId, plan]);
}

const starts = async () => (await ledger.account(orgId)).period?.startsAt;

test("a plan changed after the clock was set back begins right after the start of the open month", async () => {
  await choose("pro");
  await billing.startPlan(orgId);
  await database.advanceClock(-HOUR_MS);
  await choose("enterprise");
  expect(await billing.startPlan(orgId)).toBeNull();
  expect(await books.balance(orgId)).toBe("50000+0 0+0");
  await database.advanceClock(HOUR_MS + 1);
  expect(await billing.renewDue()).toEqual({ renewed: 1, failed: 0 });
  expect(await books.balance(orgId)).toBe("600000+0 0+0");
  expect(await starts()).toEqual(new Date(NOW.getTime() + 1));
});

test("a plan changed in the millisecond of a manual grant begins with the next one", async () => {
  await ledger.grant(
    books.grantOf(orgId, 777, { pool: "subscription", expiresAt: new Date("2031-02-10T10:00:00Z") }),
  );
  for (const table of ["accounts", "grants"]) {
    const finer = "period_start = period_start + interval '400 microseconds'";
    await db.pool.query(`update ${table} set ${finer} where org_id = $1`, [orgId]);
  }
  await choose("pro");
  await database.advanceClock(1);
  expect((await billing.startPlan(orgId))?.credits as number).toBe(50_000);
  expect(await starts()).toEqual(new Date(NOW.getTime() + 1));
});

test("a plan changed at any later time begins immediately", async () => {
  await choose("pro");
  await billing.startPlan(orgId);
  await database.advanceClock(2);
  await choose("enterprise");
  await billing.startPlan(orgId);
  expect(await starts()).toEqual(new Date(NOW.getTime() + 2));
});
