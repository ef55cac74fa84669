import { afterAll, expect, test } from "bun:test";
import { createBilling } from "../billing/index.ts";
import { createTestPayments } from "../billing/testing.ts";
import { createTestDatabase } from "../db/testing.ts";
import { createTokenCorrections } from "../generation/index.ts";
import { systemClock } from "../kit/index.ts";
import { createLeaseKeeper, createLedger } from "../ledger/index.ts";
import { createMetrics, silentLog } from "../telemetry/index.ts";
import { createTokenSumStore } from "../usage/index.ts";
import { forgetExpiredTask } from "./forget-expired.ts";
import { auditTask, maintenanceTasks, payerTasks } from "./maintenance.ts";

const database = await createTestDatabase();
const { db } = database;
const log = silentLog;
const metrics = createMetrics();
const lease = await createLeaseKeeper({ db, log, clock: systemClock, onLost: () => {} });
const billing = createBilling({ db, ledger: createLedger(db), plans: new Map(), log });
const corrections = createTokenCorrections(createTokenSumStore(db));
const tasks = [
  ...maintenanceTasks({ db, log, lease, billing, corrections }),
  ...payerTasks({ payments: createTestPayments({ db }), notices: null }),
  auditTask({ db, log, metrics }),
  forgetExpiredTask({ forgetExpired: async () => {} }),
];
afterAll(() => database.drop());

test("every task has a name and a lock of its own", () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
  expect(new Set(tasks.map(({ lockId }) => lockId)).size).toBe(tasks.length);
});

test.each(tasks.map((task) => [task.name, task] as const))("%s is safe to repeat", async (_, task) => {
  await task.run();
  await task.run();
});

test("a run in which a plan could not be renewed counts as failed, so that alarms see it", async () => {
  const withFailures = (failed: number) => {
    const failing = { ...billing, renewDue: async () => ({ renewed: 1, failed }) };
    const own = maintenanceTasks({ db, log, lease, billing: failing, corrections });
    return own.find(({ name }) => name === "renew_plans")?.run();
  };
  await withFailures(0);
  await expect(withFailures(2)).rejects.toThrow("2 plans could not be renewed");
});

test("a gateway that lives for a day is audited many times in it", () => {
  const audit = tasks.find(({ name }) => name === "audit_ledger");
  expect(audit?.everyMs).toBeLessThanOrEqual(60 * 60_000);
});

test("a partition that gave way to a backup is tried again within minutes", () => {
  const partitions = tasks.find(({ name }) => name === "make_partitions");
  expect(partitions?.everyMs).toBeLessThanOrEqual(10 * 60_000);
});

test("an audit that finds something says how much", async () => {
  const audit = auditTask({ db, log, metrics: createMetrics() });
  await audit.run();
  await db.pool.query(
    `insert into organization (id, name, slug, "createdAt") values (gen_random_uuid(), 'a', 'a', now())`,
  );
  await db.pool.query("update accounts set anytime_available = 5");
  await tasks.find(({ name }) => name === "audit_ledger")?.run();
  expect(metrics.render()).toMatch(/bursar_ledger_faults [1-9]/);
});
