import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { admissionOf, settlementOf } from "../../../../test/paid-items.ts";
import type { Event } from "../../../../test/stripe/stripe-objects.ts";
import { type AdmissionCall, createAdmitter } from "../../admission/index.ts";
import {
  armFailpoint,
  creditDelta,
  credits,
  type FailPoint,
  FailpointError,
  systemClock,
} from "../../kit/index.ts";
import { createLeaseKeeper, verifyLedger } from "../../ledger/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { TEST_PACKS } from "../testing.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
let admitter: ReturnType<typeof createAdmitter>;
beforeAll(async () => {
  shop = await createPaymentFixture();
  const { db } = shop.database;
  const lease = await createLeaseKeeper({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  admitter = createAdmitter({ db, lease });
});
afterAll(() => shop.close());

const RUNS = process.env["BURSAR_TEST_LONG"] === "1" ? 1_000 : 30;
const ENDINGS = [[], ["needs_response"], ["needs_response", "won"], ["needs_response", "lost"]] as const;

/** One paid pack, with everything that happens to the payment. */
const purchase = fc.record({
  pack: fc.constantFrom("small", "medium"),
  /** Thousandths of the price, refunded one after the other. */
  refunds: fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 3 }),
  dispute: fc.constantFrom(...ENDINGS),
  disputedThousandths: fc.integer({ min: 1, max: 1_000 }),
});

/** One delivery of a report; some credits are spent, held by a call, or returned by running calls. */
const step = fc.record({
  /** Which of the existing reports. */
  pick: fc.nat(),
  copies: fc.integer({ min: 1, max: 3 }),
  crash: fc.constantFrom<FailPoint | null>(null, null, "webhook_after_verify", "grant_after_commit"),
  spend: fc.nat(15_000),
  hold: fc.oneof(fc.constant(0), fc.nat(15_000)),
  /** Thousandths of their holds that the running calls cost; null if they go on running. */
  end: fc.option(fc.nat(1_000)),
});

type Purchase = { pack: string; refunds: number[]; dispute: readonly string[]; disputedThousandths: number };

/** The events of a purchase, and the credits that must remain of it, in whatever order they are delivered. */
async function carryOut(orgId: string, one: Purchase): Promise<{ events: Event[]; net: number }> {
  const pack = TEST_PACKS.get(one.pack);
  if (!pack) throw new Error(`no pack ${one.pack}`);
  const session = await shop.order(orgId, { pack: one.pack });
  const events = shop.stripe.pay(session);
  const intent = shop.stripe.sessions.get(session)?.payment_intent ?? "";
  const parts = (thousandths: number) => Math.floor((pack.usdCents * thousandths) / 1_000);
  let refunded = 0;
  for (const refund of one.refunds) {
    refunded = Math.min(pack.usdCents, refunded + parts(refund));
    events.push(...shop.stripe.refund(intent, refunded, pack.usdCents));
  }
  const disputed = parts(one.disputedThousandths);
  for (const status of one.dispute) {
    events.push(...shop.stripe.dispute(`dp_${intent}`, intent, disputed, status));
  }
  const isHeld = one.dispute.length > 0 && one.dispute.at(-1) !== "won";
  const back = Math.min(pack.usdCents, refunded + (isHeld ? disputed : 0));
  return { events, net: pack.credits - Math.floor((pack.credits * back) / pack.usdCents) };
}

/** Whatever is half done, or was left so by a crash, an audit at that moment finds no fault. */
async function deliverWith(
  orgId: string,
  event: Event,
  crash: FailPoint | null,
  copies: number,
): Promise<void> {
  const disarm =
    crash &&
    armFailpoint(crash, () => {
      throw new FailpointError(crash);
    });
  const delivered = Promise.allSettled(Array.from({ length: copies }, () => shop.deliver(event)));
  const audited = crash && (await verifyLedger(shop.database.db, { orgId }));
  await delivered;
  disarm?.();
  expect(audited?.faults ?? []).toEqual([]);
}

async function spend(orgId: string, wanted: number): Promise<number> {
  const amount = Math.min(wanted, (await shop.account(orgId)).anytimeAvailable);
  if (amount === 0) return 0;
  await shop.ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(-amount), description: "spent" });
  return amount;
}

/** A call that holds this much, if there is anything to hold. */
async function hold(orgId: string, wanted: number): Promise<AdmissionCall[]> {
  const amount = Math.min(wanted, (await shop.account(orgId)).anytimeAvailable);
  if (amount === 0) return [];
  const call = admissionOf(orgId, amount);
  expect((await admitter.admit(call)).outcome).toBe("admitted");
  return [call];
}

/** Ends all calls at once; returns their total cost. */
async function end(calls: AdmissionCall[], thousandths: number): Promise<number> {
  const costs = calls.map(({ full }) => Math.floor((full * thousandths) / 1_000));
  const settled = await Promise.all(
    calls.map((call, at) => shop.ledger.settle(settlementOf(call, credits(costs[at] ?? 0)))),
  );
  expect(settled.map(({ chargedAnytime }) => Number(chargedAnytime))).toEqual(costs);
  return costs.reduce((sum, cost) => sum + cost, 0);
}

test("credits less debt equal payments less reversals and spending, for any reports, order and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(purchase, { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 25 }),
      async (purchases, steps) => {
        const orgId = await shop.found();
        const carried = [];
        for (const one of purchases) carried.push(await carryOut(orgId, one));
        const events = carried.flatMap((one) => one.events);
        let spent = 0;
        const running: AdmissionCall[] = [];
        for (const { pick, copies, crash, spend: wanted, hold: held, end: thousandths } of steps) {
          await deliverWith(orgId, events[pick % events.length] as Event, crash, copies);
          spent += await spend(orgId, wanted);
          running.push(...(await hold(orgId, held)));
          if (thousandths !== null) spent += await end(running.splice(0), thousandths);
          const { anytimeAvailable, debt } = await shop.account(orgId);
          expect(Math.min(anytimeAvailable, debt)).toBe(0);
        }
        // Stripe repeats each report until it is accepted; the last attempts come in any order too.
        for (const event of events.toReversed()) await shop.deliver(event);
        spent += await end(running, 500);
        const { anytimeAvailable, debt } = await shop.account(orgId);
        const net = carried.reduce((sum, one) => sum + one.net, 0);
        expect(anytimeAvailable - debt).toBe(net - spent);
        expect(Math.min(anytimeAvailable, debt)).toBe(0);
        const paid = purchases.reduce((sum, { pack }) => sum + (TEST_PACKS.get(pack)?.credits ?? 0), 0);
        expect(await shop.granted(orgId)).toBe(paid);
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
