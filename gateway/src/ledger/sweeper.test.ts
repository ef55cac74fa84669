import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createOrganization } from "../../../test/ledger-script.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { type AdmissionCall, createAdmitter } from "../admission/index.ts";
import { createTestDatabase } from "../db/testing.ts";
import { armFailpoint, credits, FailpointError, newId } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { type LeaseKeeper, takeLease } from "./lease/lease.ts";
import { createLedger } from "./ledger.ts";
import { expirePeriods, forgetOldReplies, sweepHolds } from "./sweeper.ts";

const DAY_MS = 86_400_000;
const LEASE_MS = 15_000;

const database = await createTestDatabase();
const { db } = database;
const ledger = createLedger(db);
afterAll(() => database.drop());

let elapsedMs = 0;
const clock = { nowMs: () => elapsedMs, elapsedMs: () => elapsedMs };
let orgId: string;
let dead: LeaseKeeper;
let alive: LeaseKeeper;

beforeEach(async () => {
  orgId = newId();
  await createOrganization(database, orgId);
  await ledger.grant(grantOf("anytime", 1000, null));
  [dead, alive] = await Promise.all([join(), join()]);
});

function join(): Promise<LeaseKeeper> {
  return takeLease({ db, log: silentLog, clock, onLost: () => {} });
}

function grantOf(pool: "anytime" | "subscription", amount: number, expiresAt: Date | null) {
  const fixed = { reference: null, kind: "manual", description: "test" } as const;
  return { ...fixed, orgId, pool, amount: credits(amount), expiresAt };
}

function sweep(lease = alive): Promise<number> {
  return sweepHolds({ db, log: silentLog, lease });
}

async function start(lease: LeaseKeeper, call: AdmissionCall): Promise<AdmissionCall> {
  expect((await createAdmitter({ db, lease }).admit(call)).outcome).toBe("admitted");
  return call;
}

/** Time passes for all; only one of the two processes renews its lease. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    elapsedMs += 5_000;
    await database.advanceClock(5_000);
    await alive.renew();
  }
}

async function held(): Promise<number> {
  return (await ledger.account(orgId)).anytimeHeld;
}

describe("holds of a dead process", () => {
  test("are released, also beyond one batch, and those of a running process are not", async () => {
    await Promise.all(Array.from({ length: 600 }, () => start(dead, admissionOf(orgId, 1))));
    const own = await start(alive, admissionOf(orgId, 7));
    await pass(LEASE_MS + 5_000);
    expect(await sweep()).toBe(600);
    expect([await held(), await sweep()]).toEqual([7, 0]);
    expect((await ledger.settle(settlementOf(own, credits(7)))).outcome).toBe("settled");
    expect((await verifyLedger(db)).faults).toEqual([]);
  });

  test("leave a request row that is failed and free of charge", async () => {
    await start(dead, admissionOf(orgId, 10));
    await pass(LEASE_MS + 5_000);
    await sweep();
    const { rows } = await db.pool.query(
      `select status, ended_by, error_code, held_credits::int as held, (charged_subscription + charged_anytime)::int as charged,
         input_tokens::int as input, output_tokens::int as output, tokens_saved::int as saved, latency_ms as latency
       from requests where org_id = $1`,
      [orgId],
    );
    expect(rows).toEqual([
      {
        ...{ status: "failed", ended_by: "sweeper", error_code: "internal_error", held: 10, charged: 0 },
        ...{ input: 0, output: 0, saved: 0, latency: null },
      },
    ]);
  });

  test("are not released while the sweeper's own lease is young or interrupted", async () => {
    await start(dead, admissionOf(orgId, 10));
    elapsedMs += 10 * LEASE_MS;
    await database.advanceClock(10 * LEASE_MS);
    expect(await sweep()).toBe(0);
    await alive.renew();
    expect(await sweep()).toBe(0);
    expect(await held()).toBe(10);
    await pass(LEASE_MS);
    expect(await sweep()).toBe(1);
  });

  test("are released by the next sweep when one is interrupted", async () => {
    await start(dead, admissionOf(orgId, 10));
    await pass(LEASE_MS + 5_000);
    const disarm = armFailpoint("sweeper_mid_batch", () => {
      throw new FailpointError("cut off");
    });
    await expect(sweep()).rejects.toThrow("cut off");
    disarm();
    expect([await held(), await sweep(), await held()]).toEqual([10, 1, 0]);
  });

  test("are released once by concurrent sweepers", async () => {
    await Promise.all(Array.from({ length: 20 }, () => start(dead, admissionOf(orgId, 1))));
    await pass(LEASE_MS + 5_000);
    const released = await Promise.all([sweep(), sweep(), sweep()]);
    expect(released.reduce((sum, one) => sum + one, 0)).toBe(20);
    expect((await ledger.account(orgId)).anytimeAvailable).toBe(credits(1000));
  });

  test("free the idempotency key of their call, so that a retry runs", async () => {
    const idempotency = { key: "k", fingerprint: new Uint8Array(32) };
    await start(dead, admissionOf(orgId, 10, { idempotency }));
    await pass(LEASE_MS + 5_000);
    await sweep();
    const retry = await start(alive, admissionOf(orgId, 10, { idempotency }));
    await ledger.settle(settlementOf(retry, credits(10)));
  });
});

test("a hold past its time limit is released even if its process is alive", async () => {
  await start(alive, admissionOf(orgId, 10, { holdTtlMs: 20_000 }));
  await pass(15_000);
  expect(await sweep()).toBe(0);
  await pass(10_000);
  expect(await sweep()).toBe(1);
});

test("an ended period that nobody noticed is expired once", async () => {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  const endsAt = new Date((rows[0]?.now.getTime() ?? 0) + DAY_MS);
  await ledger.grant(grantOf("subscription", 50, endsAt));
  await database.advanceClock(DAY_MS - 1_000);
  expect(await expirePeriods(db)).toBe(0);
  await database.advanceClock(2_000);
  expect([await expirePeriods(db), await expirePeriods(db)]).toEqual([1, 0]);
  const entries = await db.pool.query("select amount from entries where org_id = $1 and type = 'expire'", [
    orgId,
  ]);
  expect(entries.rows).toEqual([{ amount: "-50" }]);
});

test("replies are deleted after a day, except those of running calls", async () => {
  await database.advanceClock(2 * DAY_MS);
  await forgetOldReplies(db);
  const node = await join();
  const keyed = (key: string) =>
    admissionOf(orgId, 1, { idempotency: { key, fingerprint: new Uint8Array(32) } });
  const done = await start(node, keyed("done"));
  await start(node, keyed("running"));
  await ledger.settle(settlementOf(done, credits(1), { reply: "{}" }));
  expect(await forgetOldReplies(db)).toBe(0);
  await database.advanceClock(DAY_MS + 1_000);
  expect([await forgetOldReplies(db), await forgetOldReplies(db)]).toEqual([1, 0]);
});
