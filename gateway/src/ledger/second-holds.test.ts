import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { type AdmissionCall, createAdmitter } from "../admission/index.ts";
import { credits, newId } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { takeLease } from "./lease/lease.ts";
import { settleMedia } from "./media-store.ts";
import { settleAll } from "./store.ts";
import { sweepHolds } from "./sweeper.ts";

const LEASE_MS = 15_000;
const HOLD_MS = 20_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const books = await openLedgerBooks();
const { database, db, ledger } = books;
afterAll(() => database.drop());

let elapsedMs = 0;
const clock = { nowMs: () => elapsedMs, elapsedMs: () => elapsedMs };
const lease = await takeLease({ db, log: silentLog, clock, onLost: () => {} });
const admitter = createAdmitter({ db, lease });

let orgId: string;
beforeEach(async () => {
  orgId = await books.found(1_000);
});

const sweep = () => sweepHolds({ db, log: silentLog, lease });

async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
    elapsedMs += 5_000;
    await database.advanceClock(5_000);
    await lease.renew();
  }
}

async function start(changes: Partial<AdmissionCall> = {}): Promise<AdmissionCall> {
  const call = admissionOf(orgId, 10, { holdTtlMs: HOLD_MS, ...changes });
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  return call;
}

/** A call that was charged 3, and whose admission arrives again afterwards. */
async function startedTwice(changes: Partial<AdmissionCall> = {}): Promise<AdmissionCall> {
  const call = await start(changes);
  await ledger.settle(settlementOf(call, credits(3)));
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  return call;
}

async function expectAsEnded(): Promise<void> {
  const { rows } = await db.pool.query(
    `select anytime_available::int as available, anytime_held::int as held, calls_in_flight as calls,
       jobs_in_flight as jobs, (select count(*)::int from requests r where r.org_id = a.org_id) as requests
     from accounts a where org_id = $1`,
    [orgId],
  );
  expect(rows).toEqual([{ available: 997, held: 0, calls: 0, jobs: 0, requests: 1 }]);
  expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
}

describe("a hold made after its call has ended", () => {
  test("is released when its time is over, and the sweeper still releases the others", async () => {
    await startedTwice();
    const others = await Promise.all([start(), start()]);
    await pass(LEASE_MS + HOLD_MS);
    await sweep();
    expect(await books.balance(orgId)).toBe("0+0 997+0");
    expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
    const { rows } = await db.pool.query(
      "select count(*)::int as ended from requests where org_id = $1 and ended_by = 'sweeper'",
      [orgId],
    );
    expect(rows).toEqual([{ ended: others.length }]);
  });

  test("is released when the settlement is repeated, and costs nothing more", async () => {
    const call = await startedTwice();
    const again = await ledger.settle(settlementOf(call, credits(3)));
    expect([again.outcome, again.chargedAnytime]).toEqual(["repeat", credits(3)]);
    await expectAsEnded();
  });

  test("is released when its settlement is in a batch, and the others are charged", async () => {
    const call = await startedTwice();
    const others = [await start(), await start()];
    const settled = await Promise.all(
      [call, ...others].map((one) => ledger.settle(settlementOf(one, credits(3)))),
    );
    expect(settled.map(({ outcome }) => outcome)).toEqual(["repeat", "settled", "settled"]);
    expect(await books.balance(orgId)).toBe("0+0 991+0");
    expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  });

  test("is released in a batch of the sweeper", async () => {
    const calls = [await startedTwice(), await start()];
    const settled = await settleAll(db, "sweeper", calls.map(releaseOf));
    expect(settled.map(({ outcome }) => outcome)).toEqual(["repeat", "settled"]);
    expect(await books.balance(orgId)).toBe("0+0 997+0");
  });

  test("is released when the settlement is repeated as one of media", async () => {
    const call = await startedTwice();
    const again = await settleMedia(db, settlementOf(call, credits(3)), []);
    expect(again.outcome).toBe("repeat");
    await expectAsEnded();
  });

  test("gives back its place among the jobs", async () => {
    const job = await startedTwice({ kind: "job" });
    await ledger.settle(settlementOf(job, credits(3)));
    await expectAsEnded();
  });

  test("gives back its place among the calls of its key", async () => {
    const call = await startedTwice({ keyInFlight: 1 });
    await ledger.settle(settlementOf(call, credits(3)));
    await expectAsEnded();
    await start({ keyInFlight: 1 });
  });

  test("frees its idempotency key if the call had cost nothing, and no other key", async () => {
    const idempotency = { key: "late", fingerprint: new Uint8Array(32) };
    const other = { ...idempotency, key: "other" };
    await ledger.settle(settlementOf(await start({ idempotency: other }), credits(3), { reply: "{}" }));
    const ofOtherKey = { idempotency, keyId: newId() };
    await ledger.settle(settlementOf(await start(ofOtherKey), credits(3), { reply: "{}" }));
    const call = await start({ idempotency });
    await ledger.settle(releaseOf(call));
    expect((await admitter.admit(call)).outcome).toBe("admitted");
    await pass(LEASE_MS + HOLD_MS);
    await sweep();
    await start({ idempotency });
    expect((await admitter.admit(admissionOf(orgId, 10, { idempotency: other }))).outcome).toBe("replay");
    expect((await admitter.admit(admissionOf(orgId, 10, ofOtherKey))).outcome).toBe("replay");
  });

  test("leaves a call that the sweeper ended as late", async () => {
    const call = await start();
    await pass(LEASE_MS + HOLD_MS);
    await sweep();
    expect((await admitter.admit(call)).outcome).toBe("admitted");
    expect((await ledger.settle(settlementOf(call, credits(3)))).outcome).toBe("late");
    expect(await books.balance(orgId)).toBe("0+0 1000+0");
    expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  });

  test("expires with its own period, even if the call's own credits expired before", async () => {
    await openPeriod(50);
    const call = await start({ holdTtlMs: 3 * DAY_MS });
    await database.advanceClock(DAY_MS);
    await ledger.settle(settlementOf(call, credits(3)));
    await openPeriod(20);
    expect((await admitter.admit(call)).outcome).toBe("admitted");
    await database.advanceClock(DAY_MS);
    expect(await books.balance(orgId)).toBe("0+10 1000+0");
    expect((await ledger.settle(settlementOf(call, credits(3)))).outcome).toBe("repeat");
    expect(await books.balance(orgId)).toBe("0+0 1000+0");
    expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  });

  test("returns its credits to the period they came from", async () => {
    await openPeriod(50);
    const call = await startedTwice();
    await ledger.settle(settlementOf(call, credits(3)));
    expect(await books.balance(orgId)).toBe("47+0 1000+0");
  });
});

async function openPeriod(amount: number): Promise<void> {
  const { rows } = await db.pool.query<{ ends_at: Date }>(
    "select bursar_now() + interval '12 hours' as ends_at",
  );
  const expiresAt = rows[0]?.ends_at ?? null;
  await ledger.grant(books.grantOf(orgId, amount, { pool: "subscription", expiresAt }));
}

test("a hold that cannot be released does not prevent the release of the organization's others", async () => {
  const [bad] = [await start(), await start(), await start()];
  await db.pool.query("update holds set anytime = 1000000 where request_id = $1", [bad.requestId]);
  await pass(LEASE_MS + HOLD_MS);
  await expect(sweep()).rejects.toThrow(`passed over 1, the first of them ${orgId}`);
  const { rows } = await db.pool.query("select request_id from holds where org_id = $1", [orgId]);
  expect(rows).toEqual([{ request_id: bad.requestId }]);
  await db.pool.query("update holds set anytime = 10 where request_id = $1", [bad.requestId]);
  expect(await sweep()).toBe(1);
});

describe("the audit reports", () => {
  async function faults(): Promise<string[]> {
    const report = await verifyLedger(db, { orgId, sinceCheckpoint: true });
    return report.faults.map(({ table, row, what }) => `${table} ${row}: ${what}`);
  }

  test("a hold whose call has ended", async () => {
    const call = await startedTwice();
    expect(await faults()).toEqual([`holds ${call.requestId}: a hold of a call that has ended`]);
  });

  test("a hold that is not released long after its end while the gateway runs", async () => {
    const call = await start();
    await pass(HOLD_MS);
    expect(await faults()).toEqual([]);
    await database.advanceClock(HOUR_MS);
    await lease.renew();
    expect(await faults()).toEqual([`holds ${call.requestId}: a hold long past its end`]);
    await pass(LEASE_MS);
    expect([await sweep(), await faults()]).toEqual([1, []]);
  });

  describe("a job's hold", () => {
    async function submit(): Promise<string> {
      const requestId = newId();
      const { processId, epoch } = lease.current;
      const { rows } = await db.pool.query(
        `select outcome from ledger_admit_job($1, $2, $3, $4, $4, null, 'api-v1-video', 'video', 10, 100, 10, null, 3600000,
           null, null, 3600000, null, '{}', '{}')`,
        [processId, epoch, orgId, requestId],
      );
      expect(rows[0]?.outcome).toBe("admitted");
      return requestId;
    }
    const heldAfterSweep = async () => {
      await pass(LEASE_MS);
      return [await sweep(), await books.balance(orgId), await faults()];
    };

    test("only long after the job's deadline", async () => {
      const job = await submit();
      await database.advanceClock(2 * HOUR_MS - 60_000);
      await lease.renew();
      expect(await faults()).toEqual([]);
      await database.advanceClock(2 * 60_000);
      await lease.renew();
      expect(await faults()).toEqual([`holds ${job}: a hold of a job long past its deadline`]);
      expect((await heldAfterSweep()).slice(0, 2)).toEqual([0, "0+0 990+10"]);
      await db.pool.query(
        "select ledger_end_job($1, $2, null, 'failed', 'failed:timeout', 'timeout', 0, null, '{}')",
        [orgId, job],
      );
      expect(await heldAfterSweep()).toEqual([0, "0+0 1000+0", []]);
    });

    test.each([
      ["deleted", "delete from video_jobs where request_id = $1"],
      [
        "ended without releasing it",
        "update video_jobs set status = 'failed', ended_at = bursar_now(), video_order = null where request_id = $1",
      ],
    ])("whose job is %s, until the sweeper has ended it", async (_, change) => {
      const job = await submit();
      await db.pool.query(change, [job]);
      expect(await faults()).toEqual([`holds ${job}: a hold of a job that does not run`]);
      expect(await heldAfterSweep()).toEqual([1, "0+0 1000+0", []]);
    });
  });

  test("no hold past its end when the gateway was not running", async () => {
    await start();
    elapsedMs += DAY_MS;
    await database.advanceClock(DAY_MS);
    expect(await faults()).toEqual([]);
    await pass(LEASE_MS);
    await sweep();
  });
});
