import { afterAll, describe, expect, test } from "bun:test";
import { createOrganization } from "../../../test/ledger-script.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { createAdmitter } from "../admission/index.ts";
import { createBilling } from "../billing/index.ts";
import { createTestPayments } from "../billing/testing.ts";
import { createTestDatabase } from "../db/testing.ts";
import { createCacheMarks, createTokenCorrections } from "../generation/index.ts";
import { credits, newId, systemClock } from "../kit/index.ts";
import { createLedger } from "../ledger/index.ts";
import { takeLease } from "../ledger/lease/lease.ts";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { createCacheHabitStore, createTokenSumStore } from "../usage/index.ts";
import { LOCK_IDS } from "./lock-ids.ts";
import { auditTask, maintenanceTasks, payerTasks } from "./maintenance.ts";

const database = await createTestDatabase();
const { db } = database;
const log = silentLog;
const metrics = createMetrics();
let elapsedMs = 0;
const clock = { nowMs: () => elapsedMs, elapsedMs: () => elapsedMs };
const lease = await takeLease({ db, log, clock, onLost: () => {} });
const ledger = createLedger(db);
const plans = new Map([["pro", { monthlyCredits: credits(100) }]]);
const billing = createBilling({ db, ledger, plans, log });
const corrections = createTokenCorrections(createTokenSumStore(db));
const others = {
  marks: createCacheMarks({ store: createCacheHabitStore(db), clock: systemClock }),
  library: { sweep: async () => 0 },
  identity: { forgetExpired: async () => {} },
  refusals: { forgetOld: async () => {} },
  outbox: { forgetOld: async () => {} },
  nodes: { compare: async () => {} },
};
const noted: object[] = [];
const outbox = { note: async (type: string, data: object) => void noted.push({ type, data }) };
const THRESHOLDS = { lowBalancePercent: 10, lowBalanceCredits: 1_000, expiryDays: 3 };
const tasks = [
  ...maintenanceTasks({ db, log, lease, billing, corrections, ...others }),
  ...payerTasks({ db, payments: createTestPayments({ db }), thresholds: THRESHOLDS }),
  auditTask({ db, log, metrics, outbox }),
];
afterAll(() => database.drop());

test("every task has its own name and its own lock", () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
  expect(new Set(tasks.map(({ lockId }) => lockId)).size).toBe(tasks.length);
  const lockIds = Object.values(LOCK_IDS);
  expect(new Set(lockIds).size).toBe(lockIds.length);
});

test("only the audit asks for a later first run", () => {
  const later = tasks.filter(({ firstAfterMs }) => firstAfterMs !== undefined);
  expect(later.map(({ name }) => name)).toEqual(["audit_ledger"]);
});

describe("a maintenance task that runs again", () => {
  const DAY_MS = 86_400_000;
  const LEASE_MS = 15_000;

  /** Every row of every table. */
  async function contents(): Promise<Record<string, string>> {
    const { rows } = await db.pool.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    );
    const sums = rows.map(
      ({ name }) =>
        `select '${name}' as name, md5(string_agg(t::text, '|' order by t::text)) as sum from ${name} t`,
    );
    const found = await db.pool.query<{ name: string; sum: string }>(sums.join(" union all "));
    return Object.fromEntries(found.rows.map(({ name, sum }) => [name, sum]));
  }

  /** A hold of a dead process, a plan that is due, a period that nobody has ended, and a reply from the day before. */
  async function leaveWork(): Promise<void> {
    await database.freezeClock(new Date("2031-01-15T12:00:00Z"));
    const [orgId, idle] = [newId(), newId()];
    for (const id of [orgId, idle]) {
      await createOrganization(database, id);
      await db.pool.query("update organization set plan = 'pro' where id = $1", [id]);
      await billing.startPlan(id, { firstPeriodDays: 1 });
    }
    const dead = await takeLease({ db, log, clock, onLost: () => {} });
    const admitter = createAdmitter({ db, lease: dead });
    const idempotency = { key: "done", fingerprint: new Uint8Array(32) };
    const done = admissionOf(orgId, 1, { idempotency });
    for (const call of [done, admissionOf(orgId, 7)]) {
      expect((await admitter.admit(call)).outcome).toBe("admitted");
    }
    await ledger.settle(settlementOf(done, credits(1), { reply: "{}" }));
    await database.advanceClock(2 * DAY_MS);
    // A node may judge others only after a whole lease of its own.
    for (let passed = 0; passed <= LEASE_MS; passed += LEASE_MS / 3) {
      elapsedMs += LEASE_MS / 3;
      await database.advanceClock(LEASE_MS / 3);
      await lease.renew();
    }
  }

  test("changes nothing", async () => {
    await leaveWork();
    const atWork: string[] = [];
    let before = await contents();
    for (const { name, run } of tasks) {
      await run();
      const after = await contents();
      if (!Bun.deepEquals(before, after)) atWork.push(name);
      await run();
      expect([name, await contents()]).toEqual([name, after]);
      before = after;
    }
    expect(atWork).toEqual([
      "sweep_holds",
      "expire_periods",
      "renew_plans",
      "make_partitions",
      "forget_replies",
      "audit_ledger",
    ]);
  });
});

test("a run of renew_plans in which a renewal failed counts as failed", async () => {
  const withFailures = (failed: number) => {
    const failing = { ...billing, renewDue: async () => ({ renewed: 1, failed }) };
    const own = maintenanceTasks({ db, log, lease, billing: failing, corrections, ...others });
    return own.find(({ name }) => name === "renew_plans")?.run();
  };
  await withFailures(0);
  await expect(withFailures(2)).rejects.toThrow("2 plans could not be renewed");
});

test("the audit runs at least once an hour", () => {
  const audit = tasks.find(({ name }) => name === "audit_ledger");
  expect(audit?.everyMs).toBeLessThanOrEqual(60 * 60_000);
});

test("make_partitions runs at least every ten minutes", () => {
  const partitions = tasks.find(({ name }) => name === "make_partitions");
  expect(partitions?.everyMs).toBeLessThanOrEqual(10 * 60_000);
});

test("an audit that finds faults reports them as a metric and as an event", async () => {
  const audit = auditTask({ db, log, metrics: createMetrics(), outbox });
  await audit.run();
  expect(noted).toEqual([]);
  await db.pool.query(
    `insert into organization (id, name, slug, "createdAt") values (gen_random_uuid(), 'a', 'a', now())`,
  );
  await db.pool.query("update accounts set anytime_available = 5");
  await tasks.find(({ name }) => name === "audit_ledger")?.run();
  expect(metrics.render()).toMatch(/bursar_ledger_faults [1-9]/);
  expect(noted).toEqual([{ type: "ledger.unsound", data: { faults: expect.any(Number) } }]);
});
