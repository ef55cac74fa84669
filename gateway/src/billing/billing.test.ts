import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connectDatabase, type Database } from "../db/index.ts";
import { createTestDatabase, type TestDatabase } from "../db/testing.ts";
import { armFailpoint, credits, FailpointError, newId } from "../kit/index.ts";
import { createLedger, type Ledger, verifyLedger } from "../ledger/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { addMonths } from "./calendar.ts";
import { type Billing, createBilling } from "./index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const plans = new Map([
  ["free", { monthlyCredits: credits(0) }],
  ["pro", { monthlyCredits: credits(50_000) }],
  ["enterprise", { monthlyCredits: credits(600_000) }],
]);

let testDb: TestDatabase;
let ledger: Ledger;
let billing: Billing;
let beforeFounding: Date;
let orgId: string;

beforeAll(async () => {
  testDb = await createTestDatabase();
  ledger = createLedger(testDb.db);
  billing = billingOn(testDb.db);
});

afterAll(() => testDb.drop());

beforeEach(async () => {
  beforeFounding = await databaseNow();
  orgId = await createOrganization("pro");
});

afterEach(async () => {
  // What one test leaves due must not be renewed in the next.
  await testDb.db.pool.query("update organization set active = false");
  expect((await verifyLedger(testDb.db, { orgId })).faults).toEqual([]);
});

function billingOn(db: Database, ownLedger = createLedger(db)): Billing {
  return createBilling({ db, ledger: ownLedger, plans, log: silentLog });
}

async function createOrganization(plan: string): Promise<string> {
  const id = newId();
  await testDb.db.pool.query("insert into organization (id, name, slug, plan) values ($1, 'Acme', $2, $3)", [
    id,
    id,
    plan,
  ]);
  return id;
}

async function update(change: { plan?: string; active?: boolean }): Promise<void> {
  await testDb.db.pool.query(
    "update organization set plan = coalesce($2, plan), active = coalesce($3, active) where id = $1",
    [orgId, change.plan ?? null, change.active ?? null],
  );
}

async function databaseNow(): Promise<Date> {
  const { rows } = await testDb.db.pool.query<{ now: Date }>("select bursar_now() as now");
  return rows[0]?.now ?? new Date(Number.NaN);
}

async function advanceTo(moment: Date): Promise<void> {
  await testDb.advanceClock(moment.getTime() - (await databaseNow()).getTime());
}

type PlanGrant = { amount: number; startsAt: Date; endsAt: Date };

async function planGrants(id = orgId): Promise<PlanGrant[]> {
  const { rows } = await testDb.db.pool.query<{ amount: string; period_start: Date; expires_at: Date }>(
    "select amount, period_start, expires_at from grants where org_id = $1 and kind = 'plan' order by period_start",
    [id],
  );
  return rows.map((row) => ({
    amount: Number(row.amount),
    startsAt: row.period_start,
    endsAt: row.expires_at,
  }));
}

async function grantByHand(amount: number, expiresAt: Date): Promise<void> {
  const { outcome } = await ledger.grant({
    orgId,
    pool: "subscription",
    amount: credits(amount),
    reference: null,
    expiresAt,
    kind: "manual",
    description: "by hand",
  });
  expect(outcome).toBe("granted");
}

describe("starting a plan", () => {
  test("grants the plan's credits for a month, once however often it is repeated", async () => {
    const founded = await databaseNow();
    const started = await billing.startPlan(orgId);
    const account = await ledger.account(orgId);
    expect(started?.credits).toBe(credits(50_000));
    expect(account.subscriptionAvailable).toBe(credits(50_000));
    expect(account.period?.endsAt).toEqual(started?.expiresAt as Date);
    const startsAt = account.period?.startsAt as Date;
    expect(startsAt.getTime()).toBeWithin(beforeFounding.getTime(), founded.getTime() + 1);
    expect(started?.expiresAt).toEqual(addMonths(startsAt, 1));
    expect(await billing.startPlan(orgId)).toBeNull();
    expect(await billing.renewDue()).toEqual({ renewed: 0, failed: 0 });
    expect(await planGrants()).toHaveLength(1);
  });

  test("a plan without monthly credits opens no period", async () => {
    orgId = await createOrganization("free");
    expect(await billing.startPlan(orgId)).toBeNull();
    expect((await ledger.account(orgId)).period).toBeNull();
    await advanceTo(new Date((await databaseNow()).getTime() + 40 * DAY_MS));
    await billing.renewDue();
    expect(await planGrants()).toEqual([]);
  });

  test("a first period may have another length; months count from its end", async () => {
    const started = await billing.startPlan(orgId, { firstPeriodDays: 30 });
    const [first] = await planGrants();
    expect(first && first.endsAt.getTime() - first.startsAt.getTime()).toBe(30 * DAY_MS);
    await advanceTo(started?.expiresAt as Date);
    await billing.renewDue();
    const [, second] = await planGrants();
    expect(second).toEqual({
      amount: 50_000,
      startsAt: started?.expiresAt as Date,
      endsAt: addMonths(started?.expiresAt as Date, 1),
    });
  });

  test("another plan opens its own period immediately and replaces the remaining credits", async () => {
    await billing.startPlan(orgId);
    await testDb.advanceClock(5 * DAY_MS);
    await update({ plan: "enterprise" });
    await billing.startPlan(orgId);
    const account = await ledger.account(orgId);
    expect(account.subscriptionAvailable).toBe(credits(600_000));
    const [, second] = await planGrants();
    expect(account.period?.endsAt).toEqual(addMonths(second?.startsAt as Date, 1));
  });

  test("setting the same plan again grants nothing", async () => {
    await billing.startPlan(orgId);
    await testDb.advanceClock(DAY_MS);
    await update({ plan: "pro" });
    expect(await billing.startPlan(orgId)).toBeNull();
    expect(await planGrants()).toHaveLength(1);
  });

  test("after a change to a plan without credits the paid period runs out and is not renewed", async () => {
    const started = await billing.startPlan(orgId);
    await testDb.advanceClock(DAY_MS);
    await update({ plan: "free" });
    await billing.startPlan(orgId);
    expect((await ledger.account(orgId)).subscriptionAvailable).toBe(credits(50_000));
    await advanceTo(started?.expiresAt as Date);
    await billing.renewDue();
    expect((await ledger.account(orgId)).subscriptionAvailable).toBe(credits(0));
    expect(await planGrants()).toHaveLength(1);
  });
});

describe("renewals", () => {
  test("missed months are not granted later, and the day of the month stays", async () => {
    await billing.startPlan(orgId);
    const [first] = await planGrants();
    const anchor = first?.startsAt as Date;
    await advanceTo(addMonths(anchor, 1));
    expect(await billing.renewDue()).toEqual({ renewed: 1, failed: 0 });
    await advanceTo(new Date(addMonths(anchor, 4).getTime() + 3 * DAY_MS));
    expect(await billing.renewDue()).toEqual({ renewed: 1, failed: 0 });
    expect((await planGrants()).map((grant) => grant.startsAt)).toEqual([
      anchor,
      addMonths(anchor, 1),
      addMonths(anchor, 4),
    ]);
    const account = await ledger.account(orgId);
    expect(account.subscriptionAvailable).toBe(credits(50_000));
    expect(account.period?.endsAt).toEqual(addMonths(anchor, 5));
  });

  test("concurrent runs on several nodes grant each organization its month once", async () => {
    const ids = [orgId, ...(await Promise.all(Array.from({ length: 20 }, () => createOrganization("pro"))))];
    const url = testDb.db.url;
    const others = [1, 2].map(() => connectDatabase({ url, poolSize: 4, log: silentLog }));
    const nodes = [billing, ...others.map((db) => billingOn(db))];
    const runs = await Promise.all(nodes.map((node) => node.renewDue()));
    expect(runs.reduce((sum, run) => sum + run.renewed, 0)).toBe(ids.length);
    for (const id of ids) expect(await planGrants(id)).toHaveLength(1);
    await Promise.all(others.map((db) => db.close()));
  });

  test("after a crash between a grant and its record, the next run grants nothing and next month is granted", async () => {
    const disarm = armFailpoint("grant_after_commit", () => {
      throw new FailpointError("killed");
    });
    expect(await billing.renewDue()).toEqual({ renewed: 0, failed: 1 });
    disarm();
    expect(await billing.renewDue()).toEqual({ renewed: 0, failed: 0 });
    const [first] = await planGrants();
    await advanceTo(first?.endsAt as Date);
    expect(await billing.renewDue()).toEqual({ renewed: 1, failed: 0 });
    expect(await planGrants()).toHaveLength(2);
  });

  test("one organization's failure does not stop the others, and is retried by the next run", async () => {
    const second = await createOrganization("pro");
    let isBroken = true;
    const renew: Ledger["renew"] = async (renewal) => {
      if (isBroken && renewal.orgId === orgId) throw new Error("broken");
      return ledger.renew(renewal);
    };
    const shaky = billingOn(testDb.db, { ...ledger, renew });
    expect(await shaky.renewDue()).toEqual({ renewed: 1, failed: 1 });
    expect([await planGrants(), await planGrants(second)]).toEqual([[], [expect.anything()]]);
    isBroken = false;
    expect(await shaky.renewDue()).toEqual({ renewed: 1, failed: 0 });
    expect(await planGrants()).toHaveLength(1);
  });

  test("a closing process renews no further organization and logs no failure", async () => {
    const other = await createOrganization("pro");
    const closing = new AbortController();
    const failures: string[] = [];
    const log = { ...silentLog, error: (event: string) => void failures.push(event) };
    const renew: Ledger["renew"] = async () => {
      closing.abort();
      throw new Error("Cannot use a pool after calling end on the pool");
    };
    const closed = createBilling({
      db: testDb.db,
      ledger: { ...ledger, renew },
      plans,
      log,
      closing: closing.signal,
    });
    expect(await closed.renewDue()).toEqual({ renewed: 0, failed: 0 });
    expect(failures).toEqual([]);
    expect([...(await planGrants()), ...(await planGrants(other))]).toEqual([]);
    expect(await billing.renewDue()).toEqual({ renewed: 2, failed: 0 });
  });

  test("a plan that is changed during the run gets no further month", async () => {
    const started = await billing.startPlan(orgId);
    await advanceTo(started?.expiresAt as Date);
    const renew: Ledger["renew"] = async (renewal) => {
      await update({ plan: "free" });
      await billing.startPlan(orgId);
      return ledger.renew(renewal);
    };
    const late = billingOn(testDb.db, { ...ledger, renew });
    expect(await late.renewDue()).toEqual({ renewed: 0, failed: 0 });
    expect(await planGrants()).toHaveLength(1);
    expect((await ledger.account(orgId)).period).toBeNull();
  });

  test("an inactive organization is granted nothing; once active again, it gets its current month", async () => {
    await billing.startPlan(orgId);
    const [first] = await planGrants();
    const anchor = first?.startsAt as Date;
    await update({ active: false });
    await advanceTo(addMonths(anchor, 2));
    expect(await billing.renewDue()).toEqual({ renewed: 0, failed: 0 });
    await update({ active: true });
    expect((await billing.startPlan(orgId))?.expiresAt).toEqual(addMonths(anchor, 3));
  });

  test("a manually granted period is kept in full, and the plan's month follows when it ends", async () => {
    await billing.startPlan(orgId);
    const [first] = await planGrants();
    const anchor = first?.startsAt as Date;
    await advanceTo(addMonths(anchor, 1));
    const byHandEndsAt = new Date(addMonths(anchor, 2).getTime() + 2 * DAY_MS);
    await grantByHand(777, byHandEndsAt);
    await billing.renewDue();
    await advanceTo(addMonths(anchor, 2));
    await billing.renewDue();
    expect((await ledger.account(orgId)).subscriptionAvailable).toBe(credits(777));
    await advanceTo(byHandEndsAt);
    await billing.renewDue();
    const account = await ledger.account(orgId);
    expect(account.subscriptionAvailable).toBe(credits(50_000));
    expect(account.period?.endsAt).toEqual(addMonths(anchor, 3));
  });

  test("a plan missing from the configuration stays due, so that its month is not lost", async () => {
    const without = createBilling({ db: testDb.db, ledger, plans: new Map(), log: silentLog });
    expect(await without.renewDue()).toEqual({ renewed: 0, failed: 0 });
    expect(await billing.renewDue()).toEqual({ renewed: 1, failed: 0 });
  });
});
