import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { behindLock, HAVE_ACCOUNT } from "../../../test/behind-lock.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { ledgerRows } from "../../../test/ledger-rows.ts";
import { admissionOf } from "../../../test/paid-items.ts";
import { credits, newId } from "../kit/index.ts";
import { createJobAdmitter } from "./admit-job.ts";
import type { AdmissionCall } from "./call.ts";

const books = await openLedgerBooks();
const { db, lease, found } = books;
const admitter = createJobAdmitter({ db, lease });
afterAll(() => books.database.drop());

let orgId: string;
beforeEach(async () => {
  orgId = await found(1_000);
});

const ENDPOINT = "api-v1-video";
const FINGERPRINT = new Uint8Array(32);

function jobOf(changes: Partial<AdmissionCall> = {}, owner = orgId): AdmissionCall {
  return admissionOf(owner, 20, { kind: "job", endpoint: ENDPOINT, model: "acme-video", ...changes });
}

const once = (key: string) => ({ idempotency: { key, fingerprint: FINGERPRINT } });

const admit = (call: AdmissionCall, reply = "{}") =>
  admitter.admit(call, { order: "{}", reply, priceRuleId: "rule", deadlineMs: 60_000 });

describe("a job that is repeated after its response was lost", () => {
  test("returns the remaining rate and a reset of at most a minute, and is held once", async () => {
    for (const requestsPerMinute of [5, 1]) {
      const owner = await found(100);
      const job = jobOf({ requestsPerMinute }, owner);
      await admit(job);
      expect(await admit(job)).toEqual({
        outcome: "admitted",
        granted: credits(20),
        rate: { limit: requestsPerMinute, remaining: requestsPerMinute - 1, resetSeconds: 60 },
      });
      expect(await books.balance(owner)).toBe("0+0 80+20");
    }
  });

  test("waits while the first is still in progress, and is held once", async () => {
    const job = jobOf();
    const both = await behindLock({
      db,
      statement: HAVE_ACCOUNT,
      values: [orgId],
      waiters: 2,
      work: () => Promise.all([admit(job), admit(job)]),
    });
    expect(both.map(({ outcome }) => outcome)).toEqual(["admitted", "admitted"]);
    expect(await books.balance(orgId)).toBe("0+0 980+20");
  });
});

describe("checking whether a job would be refused", () => {
  const refuse = (call: AdmissionCall) =>
    admitter.refuse(call, { order: "{}", reply: "{}", priceRuleId: "rule", deadlineMs: 60_000 });

  test("changes nothing if it may start, and it can then be admitted normally", async () => {
    const job = jobOf({ requestsPerMinute: 1, ...once("k") });
    expect(await refuse(job)).toBeNull();
    expect(await books.balance(orgId)).toBe("0+0 1000+0");
    expect(await admit(job)).toMatchObject({ outcome: "admitted", rate: { remaining: 0 } });
  });

  test("and then admitting it gives the same result as admitting it directly, whatever its limits", async () => {
    const wish = fc.record({
      minimum: fc.integer({ min: 0, max: 60 }),
      requestsPerMinute: fc.integer({ min: 1, max: 4 }),
      inFlight: fc.integer({ min: 1, max: 3 }),
      keyRequestsPerMinute: fc.constantFrom(null, 1, 2),
      key: fc.constantFrom(null, "a", "b"),
    });
    const wishes = fc.array(wish, { minLength: 1, maxLength: 6 });
    // The clock is frozen, so that both count their limits in the same minute.
    await books.database.freezeClock(new Date("2031-01-01T00:00:00Z"));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100 }), wishes, async (amount, wanted) => {
        const [tried, twin] = [await found(amount), await found(amount)];
        const keyId = newId();
        for (const { minimum, key, ...limits } of wanted) {
          const bounds = { ...limits, keyId, minimum: credits(minimum), full: credits(minimum) };
          const call = jobOf({ ...bounds, ...(key === null ? {} : once(key)) }, tried);
          const before = await ledgerRows(db, tried);
          const refusal = await refuse(call);
          if (refusal === null) expect(await ledgerRows(db, tried)).toEqual(before);
          const answer = refusal ?? (await admit(call));
          expect(answer).toEqual(await admit({ ...call, orgId: twin }));
          expect(await ledgerRows(db, tried)).toEqual(await ledgerRows(db, twin));
        }
        const { rows } = await db.pool.query(
          "select (select count(*) from video_jobs where org_id = $1) = (select count(*) from video_jobs where org_id = $2) as same",
          [tried, twin],
        );
        expect(rows).toEqual([{ same: true }]);
      }),
      { numRuns: 20 },
    );
  }, 60_000);

  test("refuses it as an admission would and counts against the rate, or replays a repeat", async () => {
    const poor = await found(5);
    const job = () => jobOf({ requestsPerMinute: 2 }, poor);
    expect(await refuse(job())).toMatchObject({ outcome: "insufficient", rate: { remaining: 1 } });
    expect(await admit(job())).toMatchObject({ outcome: "insufficient", rate: { remaining: 0 } });
    expect(await refuse(job())).toMatchObject({ outcome: "rate_limited" });
    const first = jobOf(once("k"));
    await admit(first, "kept");
    expect(await refuse(jobOf(once("k")))).toMatchObject({
      outcome: "replay",
      requestId: first.requestId,
      reply: "kept",
    });
  });
});

test("a job waits only for its own organization's account", async () => {
  const neighbour = await found(0);
  const holding = await db.pool.connect();
  await holding.query("begin");
  await holding.query(HAVE_ACCOUNT, [neighbour]);
  const admission = await admit(jobOf()).finally(() => holding.query("commit"));
  holding.release();
  expect(admission.outcome).toBe("admitted");
});

test("a new job starts with zero counters, is due immediately and has its deadline", async () => {
  const job = jobOf();
  await admit(job);
  const { rows } = await db.pool.query(
    `select looks, failures, due_at = created_at as is_due, deadline_at - created_at = interval '60 s' as has_a_minute
      from video_jobs where request_id = $1`,
    [job.requestId],
  );
  expect(rows).toEqual([{ looks: 0, failures: 0, is_due: true, has_a_minute: true }]);
});

test("a repeat returns its own job's reply, whatever else uses the same idempotency key", async () => {
  const neighbours = [
    jobOf(once("k"), await found(100)),
    jobOf({ ...once("k"), endpoint: "api-v1-images" }),
    jobOf(once("other")),
  ];
  for (const call of neighbours) await books.admitter.admit({ ...call, kind: "call" });
  const job = jobOf(once("k"));
  await admit(job, "its own");
  expect(await admit(jobOf(once("k")), "another")).toEqual({
    outcome: "replay",
    requestId: job.requestId,
    reply: "its own",
    charged: credits(0),
    subscriptionAfter: credits(0),
    anytimeAfter: credits(0),
    rate: expect.anything(),
  });
  for (const call of neighbours) {
    const again = await books.admitter.admit({ ...call, requestId: jobOf().requestId, kind: "call" });
    expect(again).toMatchObject({ outcome: "running", requestId: call.requestId });
  }
});
