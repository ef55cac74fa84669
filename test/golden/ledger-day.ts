import { admitTogether } from "../../gateway/src/admission/admit.ts";
import { type AdmissionCall, createJobAdmitter } from "../../gateway/src/admission/index.ts";
import { admitAll } from "../../gateway/src/admission/store.ts";
import type { DraftAsset } from "../../gateway/src/assets/index.ts";
import { createBilling } from "../../gateway/src/billing/index.ts";
import * as payments from "../../gateway/src/billing/payment-store.ts";
import { saveEndedSubscription } from "../../gateway/src/billing/subscription-store.ts";
import { TEST_PLANS } from "../../gateway/src/billing/testing.ts";
import type { TestDatabase } from "../../gateway/src/db/testing.ts";
import { claimVideoJobs, createVideoStore } from "../../gateway/src/jobs/video-store.ts";
import { lowestIdAt } from "../../gateway/src/kit/id-testing.ts";
import { creditDelta, credits, DAY_MS, present, sha256Hex } from "../../gateway/src/kit/index.ts";
import { createLedger, expirePeriods, sweepHolds, undoExpiries } from "../../gateway/src/ledger/index.ts";
import { takeLease } from "../../gateway/src/ledger/lease/lease.ts";
import { settleAll } from "../../gateway/src/ledger/store.ts";
import { silentLog } from "../../gateway/src/telemetry/index.ts";
import { draftAsset } from "../drafted-asset.ts";
import { admissionOf, releaseOf, settlementOf } from "../paid-items.ts";

const START = new Date("2031-01-01T00:00:00Z");
const RENEWAL_MS = 5_000;
/** How they begin; fixed, so that the hash chain is the same in every run. */
export const FIXED_IDS = lowestIdAt(START.getTime()).slice(0, 24);
const RULE = '{"perRequest":1}';
const RULE_ID = sha256Hex(RULE).slice(0, 16);
const PERSON = idOf(0xfff);

type Day = Awaited<ReturnType<typeof beginDay>>;

/** A day on which everything happens that writes credits. Returns what the ledger answered, step by step. */
export async function liveThroughDay(database: TestDatabase): Promise<string[]> {
  const day = await beginDay(database);
  const orgId = await day.found("calls", "free");
  await grants(day, orgId);
  await admissions(day, orgId);
  await settlements(day, orgId);
  await corrections(day, orgId);
  await sweeping(day, orgId);
  await videoJobs(day, orgId);
  await paidMonths(day);
  await reversals(day);
  await periods(day, orgId);
  return day.said;
}

function idOf(number: number): string {
  return FIXED_IDS + number.toString(16).padStart(12, "0");
}

async function beginDay(database: TestDatabase) {
  const { db } = database;
  await database.freezeClock(START);
  await db.pool.query("select make_request_partitions()");
  const clock = { passedMs: 0, nowMs: () => clock.passedMs, elapsedMs: () => clock.passedMs };
  const join = () => takeLease({ db, log: silentLog, clock, onLost: () => {} });
  const said: string[] = [];
  const ledger = createLedger(db);
  let lease = await join();
  let ids = 0;
  const nextId = () => idOf(++ids);
  const say = async (what: string, answer: unknown) => {
    said.push(`${what}: ${JSON.stringify(await answer)}`);
  };
  const made = { kind: "manual", pool: "anytime", expiresAt: null, description: "by hand" } as const;

  return {
    ...{ database, db, ledger, said, nextId, say },
    lease: () => lease,
    /** Another process starts, and no one renews the lease of the one before. */
    async crash() {
      lease = await join();
    },
    async pass(ms: number) {
      clock.passedMs += ms;
      await database.advanceClock(ms);
      await lease.renew();
    },
    async found(name: string, plan: string): Promise<string> {
      const id = nextId();
      await db.pool.query(
        `insert into organization (id, name, slug, plan, "createdAt") values ($1, $2, $2, $3, bursar_now())`,
        [id, name, plan],
      );
      return id;
    },
    callOf: (orgId: string, amount: number, changes: Partial<AdmissionCall> = {}) =>
      admissionOf(orgId, amount, { requestId: nextId(), ...changes }),
    /** As a batch, or alone by the statement for one call. */
    admit: (...calls: AdmissionCall[]) => {
      const isAlone = calls.length === 1;
      const { current } = lease;
      return say("admit", isAlone ? admitTogether(db, current, calls) : admitAll(db, current, calls, false));
    },
    grantOf: (orgId: string, amount: number, reference: string | null = null) => ({
      ...{ ...made, id: nextId(), orgId, amount: credits(amount), reference },
    }),
    adjust: (orgId: string, amount: number) => {
      const correction = { id: nextId(), orgId, amount: creditDelta(amount), description: "by hand" };
      return say("adjust", ledger.adjust({ ...correction, pool: "anytime" }));
    },
    async order(orgId: string, kind: "pack" | "plan", amount: number) {
      const order = { id: nextId(), orgId, kind, item: kind, credits: credits(amount), amountCents: 1_000 };
      const usual = { currency: "usd", provider: "stripe", status: "open", checkoutId: null } as const;
      await db.pool.query(
        `insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency,
           provider) values ($1, $2, bursar_now(), $3, $4, $4, $5, $6, 'usd', 'stripe')`,
        [order.id, orgId, PERSON, kind, amount, order.amountCents],
      );
      return { ...order, ...usual, createdAt: START };
    },
  };
}

async function grants({ ledger, say, grantOf, adjust }: Day, orgId: string): Promise<void> {
  await say("grant", ledger.grant(grantOf(orgId, 1_000, "one")));
  await say("grant again", ledger.grant(grantOf(orgId, 1_000, "one")));
  await say("grant another of that name", ledger.grant(grantOf(orgId, 5, "one")));
  const subscription = { ...grantOf(orgId, 300), pool: "subscription" } as const;
  await say("grant without a period", ledger.grant(subscription));
  const expiresAt = new Date(START.getTime() + 30 * DAY_MS);
  await say("grant that expires", ledger.grant({ ...subscription, expiresAt }));
  await adjust(orgId, 7);
  await adjust(orgId, -9);
  await adjust(orgId, -9_000);
}

async function admissions({ ledger, say, callOf, admit }: Day, orgId: string): Promise<void> {
  const idempotency = { key: "once", fingerprint: Buffer.alloc(32, 1) };
  const other = { ...idempotency, fingerprint: Buffer.alloc(32, 2) };
  const keyed = { keyRequestsPerMinute: 9, keyInFlight: 9, memberUserId: PERSON, idempotency };
  const first = callOf(orgId, 60, keyed);
  await admit(first);
  await admit(callOf(orgId, 1, { idempotency }), callOf(orgId, 1, { idempotency: other }));
  await admit(
    callOf(orgId, 1_000_000),
    callOf(orgId, 1, { requestsPerMinute: 1 }),
    callOf(orgId, 1, { inFlight: 1 }),
    callOf(orgId, 1, { keyInFlight: 1 }),
  );
  await ledger.recordPriceRules([{ id: RULE_ID, model: "sandbox-chat", json: RULE }]);
  const priced = {
    priceRuleId: RULE_ID,
    measured: '{"pixels":4}',
    tokensSaved: 3,
    reply: '{"content":"Hi"}',
  };
  await say("settle", ledger.settle(settlementOf(first, credits(40), priced)));
  await say("settle again", ledger.settle(settlementOf(first, credits(40), priced)));
  await admit(callOf(orgId, 1, { idempotency }));
}

async function settlements({ db, ledger, say, callOf, admit, nextId }: Day, orgId: string): Promise<void> {
  const [one, two, three, four] = [callOf(orgId, 70), callOf(orgId, 80), callOf(orgId, 5), callOf(orgId, 10)];
  await admit(one, two, three, { ...four, full: credits(100_000), sharesBalance: true });
  const why = { status: "cancelled", errorCode: "internal_error", reason: "client_left" } as const;
  const ended = [releaseOf(one), settlementOf(two, credits(50_000)), settlementOf(three, credits(2), why)];
  await say("settle three", settleAll(db, "call", ended));
  await say("settle the last", ledger.settle(settlementOf(four, credits(11))));
  await say("settle without a hold", ledger.settle(settlementOf(callOf(orgId, 0), credits(3))));
  const picture = callOf(orgId, 20);
  await admit(picture);
  const id = nextId();
  const place = { id, urlToken: "i".repeat(32), objectKey: `assets/ab/${id}.png` };
  const assets = [await draftAsset(db, orgId, place)];
  await say("settle a picture", ledger.settle(settlementOf(picture, credits(20), { assets })));
}

/** What is learned of a provider's counting decides how much is held. */
async function corrections({ db }: Day, orgId: string): Promise<void> {
  const sums = `'{sandbox-chat}', '{tools}', '{400000}', '{440000}', '{30}', '{90}'`;
  for (let i = 0; i < 2; i++) {
    await db.pool.query(`select token_corrections_add(${sums})`);
    await db.pool.query(`select own_token_corrections_add(array[$1::uuid], ${sums}, false)`, [orgId]);
  }
}

async function sweeping(day: Day, orgId: string): Promise<void> {
  const { db, ledger, say, callOf, admit, pass } = day;
  await ledger.grant(day.grantOf(orgId, 500));
  const lost = callOf(orgId, 30);
  const twice = callOf(orgId, 10, { holdTtlMs: 1_000 });
  await admit(lost, twice);
  await say("settle what is held again", ledger.settle(settlementOf(twice, credits(10))));
  await admit(twice);
  await pass(RENEWAL_MS);
  await day.crash();
  for (let i = 0; i < 4; i++) await pass(RENEWAL_MS);
  await say("sweep", sweepHolds({ db, log: silentLog, lease: day.lease() }));
  await say("settle late", ledger.settle(settlementOf(lost, credits(30))));
}

async function videoJobs({ db, say, callOf, lease, nextId }: Day, orgId: string): Promise<void> {
  const jobs = createJobAdmitter({ db, lease: lease() });
  const order = '{"prompt":"A boat","targets":[{"provider":"sandbox/video"}],"references":{}}';
  const job = { order, reply: '{"status":"processing"}', priceRuleId: RULE_ID, deadlineMs: 60 * DAY_MS };
  const of = { kind: "job", endpoint: "api-v1-video", model: "sandbox-video", inFlight: 3 } as const;
  await say("refuse a job", jobs.refuse(callOf(orgId, 100_000, of), job));
  for (const amount of [50, 40, 30, 20]) await say("a job", jobs.admit(callOf(orgId, amount, of), job));
  const claimed = await claimVideoJobs(db, { limit: 3, leaseMs: 60_000 });
  const sorted = claimed.toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1));
  const videos = createVideoStore(db);
  for (const one of sorted) await videos.saveIntent(one, "sandbox/video");
  const [done, failed, running] = sorted;
  await videos.saveOperation(present(running, "a third job"), { id: "operation" });
  const place = { id: nextId(), urlToken: "v".repeat(32), objectKey: "assets/film.mp4", durationMs: 4_000 };
  const film = await draftAsset(db, orgId, { ...place, type: "video", mediaType: "video/mp4" });
  const draft = film as DraftAsset;
  const cost = { cost: credits(33), measured: '{"seconds":4}' };
  await say("a job is done", videos.end(present(done, "a job"), { status: "complete", draft, ...cost }));
  const why = {
    reason: "interrupted",
    errorCode: "internal_error",
    failureReason: "provider_error",
  } as const;
  await say("a job fails", videos.end(present(failed, "a second job"), { status: "failed", ...why }));
}

async function paidMonths({ db, ledger, say, found, order, admit, callOf }: Day): Promise<void> {
  const orgId = await found("months", "free");
  const endsAt = new Date(START.getTime() + 31 * DAY_MS);
  const ordered = await order(orgId, "plan", 900);
  const month = { orderId: ordered.id, startsAt: START, endsAt, renewsAt: endsAt, paymentId: "month-1" };
  const subscription = { id: "sub-1", customerId: "customer-1", isRunning: true };
  await say("a paid month", payments.savePaidPeriod(db, { ...month, subscription }));
  await say("a paid month again", payments.savePaidPeriod(db, { ...month, subscription }));
  await payments.saveChargeReference(db, "month-1", "charge-1");
  const other = { ...month, orderId: (await order(orgId, "plan", 800)).id, paymentId: "month-2" };
  const second = { ...subscription, id: "sub-2" };
  await say("another subscription", payments.savePaidPeriod(db, { ...other, subscription: second }));
  const call = callOf(orgId, 300);
  await admit(call);
  await say("settle", ledger.settle(settlementOf(call, credits(300))));
  await payments.saveRefund(db, { chargeId: "refund-1", chargeReference: "charge-1", amountCents: 500 });
  await say("a refund of a month", payments.reversePayment(db, "charge-1"));
  await say("a subscription ends", saveEndedSubscription(db, "sub-2", "free"));
  const third = { ...subscription, id: "sub-3" };
  const last = { ...month, orderId: (await order(orgId, "plan", 700)).id, paymentId: "month-3" };
  await say("a third subscription", payments.savePaidPeriod(db, { ...last, subscription: third }));
  await payments.saveChargeReference(db, "month-3", "charge-3");
  const held = callOf(orgId, 500);
  await admit(held);
  await payments.saveRefund(db, { chargeId: "refund-3", chargeReference: "charge-3", amountCents: 1_000 });
  await say("a refund of what a call holds", payments.reversePayment(db, "charge-3"));
  await say("what it held pays the debt", ledger.settle(settlementOf(held, credits(100))));
}

async function reversals(day: Day): Promise<void> {
  const { db, ledger, say, callOf } = day;
  const orgId = await day.found("packs", "free");
  const buy = async (amount: number, id: string) => {
    const order = await day.order(orgId, "pack", amount);
    await ledger.grant({ ...day.grantOf(orgId, amount, `order:${order.id}`), kind: "pack" });
    await payments.savePackPayment(db, { order, id, chargeReference: `charge of ${id}` });
    return `charge of ${id}`;
  };
  const spent = await buy(400, "pack-1");
  const call = callOf(orgId, 300);
  await day.admit(call);
  await say("settle", ledger.settle(settlementOf(call, credits(300))));
  await payments.saveRefund(db, { chargeId: "refund-2", chargeReference: spent, amountCents: 1_000 });
  await say("a refund of what was spent", payments.reversePayment(db, spent));
  await say("a grant pays the debt", ledger.grant(day.grantOf(orgId, 250)));
  await day.adjust(orgId, 100);
  const disputed = await buy(100, "pack-2");
  const dispute = { id: "dispute-1", chargeReference: disputed, amountCents: 500 };
  await payments.saveDispute(db, { ...dispute, isFinal: false });
  await say("a dispute", payments.reversePayment(db, disputed));
  await payments.saveDispute(db, { ...dispute, amountCents: 0, isFinal: true });
  await say("a dispute that was won", payments.reversePayment(db, disputed));
}

async function periods(day: Day, jumpedId: string): Promise<void> {
  const { db, database, ledger, say, callOf } = day;
  await database.jumpClock(40 * DAY_MS);
  // As a version did that told no expected time.
  await db.pool.query("select ledger_account($1)", [jumpedId]);
  await database.jumpClock(-40 * DAY_MS);
  await say("undo what expired in a jump", undoExpiries(db, jumpedId));
  const orgId = await day.found("plans", "pro");
  const billing = createBilling({ db, ledger, plans: TEST_PLANS, log: silentLog });
  await say("a plan starts", billing.startPlan(orgId));
  const call = callOf(orgId, 100);
  await day.admit(call);
  await day.pass(32 * DAY_MS);
  await say("renewals", billing.renewDue());
  await say("expiries", expirePeriods(db));
  await say("settle what a past month held", ledger.settle(settlementOf(call, credits(60))));
  await day.pass(27 * DAY_MS);
  await say("renewals", billing.renewDue());
}
