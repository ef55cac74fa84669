import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { createAdmitter } from "../../gateway/src/admission/index.ts";
import { connectDatabase, type Database } from "../../gateway/src/db/index.ts";
import { createTestDatabase, type TestDatabase } from "../../gateway/src/db/testing.ts";
import { armFailpoint, credits, FailpointError, newId, systemClock } from "../../gateway/src/kit/index.ts";
import { createLedger, type LeaseKeeper } from "../../gateway/src/ledger/index.ts";
import { takeLease } from "../../gateway/src/ledger/lease/lease.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { createOrganization } from "../ledger-script.ts";
import { admissionOf } from "../paid-items.ts";
import { expectQuiet } from "./ending.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { targetOf, through } from "./faulty-database.ts";
import { BEYOND_A_LEASE_MS, type SweepingNode, startSweepingNode } from "./sweeping-node.ts";

/** Between finding the holds of dead nodes and releasing them. */
const POINT = "sweeper_mid_batch";
const CREDITS = 100;
const HOLDS = 5;

let database: TestDatabase;
let link: FaultProxy;
let linked: Database;
let one: SweepingNode;
let dead: LeaseKeeper;
let orgId: string;
let disarm = () => {};
beforeAll(async () => {
  database = await createTestDatabase();
  link = await startFaultProxy(targetOf(database.db.url));
  linked = connectDatabase({ url: through(database.db.url, link.port), poolSize: 2, log: silentLog });
});
beforeEach(async () => {
  orgId = newId();
  await createOrganization(database, orgId);
  await createLedger(database.db).grant({
    ...{ orgId, pool: "anytime", amount: credits(CREDITS), expiresAt: null },
    ...{ reference: null, kind: "manual", description: "test" },
  });
  const { db } = database;
  dead = await takeLease({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  const admitter = createAdmitter({ db, lease: dead });
  await Promise.all(Array.from({ length: HOLDS }, () => admitter.admit(admissionOf(orgId, 1))));
  one = await startSweepingNode({ ...database, db: linked });
});
afterEach(async () => {
  disarm();
  link.set({ kind: "pass" });
  await Promise.all([one.close(), dead.leave()]);
});
afterAll(async () => {
  await linked.close();
  await link.close();
  await database.drop();
});

/** Starts now, because a sweep ends the leases of all nodes that have not renewed theirs. */
async function sweepByAnother(): Promise<number> {
  const other = await startSweepingNode(database);
  try {
    return await other.sweepAfterALease();
  } finally {
    await other.close();
  }
}

/** Acts on the first sweep only. */
function armOnce(action: () => void | Promise<void>): () => number {
  let passed = 0;
  disarm = armFailpoint(POINT, () => (++passed === 1 ? action() : undefined));
  return () => passed;
}

test(`throws at ${POINT}: the next sweep releases every hold, once`, async () => {
  armOnce(() => {
    throw new FailpointError(POINT);
  });
  await expect(one.sweepAfterALease()).rejects.toThrow(POINT);
  expect([await one.sweepAfterALease(), await sweepByAnother()]).toEqual([HOLDS, 0]);
  await expectQuiet(database.db, orgId, CREDITS);
});

test(`is delayed at ${POINT}: another sweeper does not wait for it, and each hold is released once`, async () => {
  const reached = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  armOnce(() => {
    reached.resolve();
    return goesOn.promise;
  });
  const late = one.sweepAfterALease();
  await reached.promise;
  expect(await sweepByAnother()).toBe(HOLDS);
  goesOn.resolve();
  expect(await late).toBe(0);
  await expectQuiet(database.db, orgId, CREDITS);
});

test(`hangs at ${POINT}: another sweeper releases the holds it had found`, async () => {
  const reached = Promise.withResolvers<void>();
  armOnce(() => {
    reached.resolve();
    return new Promise(() => {});
  });
  void one.sweepAfterALease();
  await reached.promise;
  expect(await sweepByAnother()).toBe(HOLDS);
  await expectQuiet(database.db, orgId, CREDITS);
});

test(`loses the database at ${POINT}: no hold is released, and the next sweep releases all`, async () => {
  const passed = armOnce(() => link.set({ kind: "reset" }));
  await one.sweepAfterALease().catch(() => 0);
  expect(passed()).toBe(1);
  link.set({ kind: "pass" });
  expect(await sweepByAnother()).toBe(HOLDS);
  await expectQuiet(database.db, orgId, CREDITS);
});

test(`a sweeper that dies at ${POINT} releases nothing, and the next one releases all`, async () => {
  await database.advanceClock(BEYOND_A_LEASE_MS);
  const doomed = Bun.spawn([process.execPath, join(import.meta.dir, "sweeping-process.ts")], {
    env: { ...process.env, DATABASE_URL: database.db.url, BURSAR_FAILPOINTS: `${POINT}=kill` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await doomed.exited;
  expect(doomed.signalCode).toBe("SIGKILL");
  const held = await database.db.pool.query("select 1 from holds where org_id = $1", [orgId]);
  expect(held.rowCount).toBe(HOLDS);
  expect(await sweepByAnother()).toBe(HOLDS);
  await expectQuiet(database.db, orgId, CREDITS);
});
