import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Event } from "../../../../test/stripe/stripe-objects.ts";
import { armFailpoint, DAY_MS, type FailPoint, FailpointError } from "../../kit/index.ts";
import { createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

const RUNS = process.env["BURSAR_TEST_LONG"] === "1" ? 500 : 15;

/** What is delivered before the next month begins: any of the reports so far, through any crash. */
const delivery = fc.record({
  pick: fc.nat(),
  copies: fc.integer({ min: 1, max: 3 }),
  crash: fc.constantFrom<FailPoint | null>(null, null, "webhook_after_verify", "grant_after_commit"),
});

async function deliverWith(event: Event, { copies, crash }: { copies: number; crash: FailPoint | null }) {
  const disarm =
    crash &&
    armFailpoint(crash, () => {
      throw new FailpointError(crash);
    });
  await Promise.allSettled(Array.from({ length: copies }, () => shop.deliver(event)));
  disarm?.();
}

async function books(orgId: string) {
  const { rows } = await shop.database.db.pool.query(
    `select count(*) as payments, coalesce(sum(credits), 0) as paid,
       (select count(*) from grants g where g.org_id = $1 and kind = 'plan') as periods
     from payments where org_id = $1`,
    [orgId],
  );
  return rows[0];
}

test("each month is granted at most once, for a paid invoice, and the newest one can be spent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(delivery, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (months) => {
        const orgId = await shop.found();
        const session = await shop.order(orgId, { plan: "pro" });
        const events = shop.stripe.pay(session);
        const subscription = shop.stripe.sessions.get(session)?.subscription ?? "";
        for (const [month, deliveries] of months.entries()) {
          if (month > 0) {
            await shop.advance(31 * DAY_MS);
            events.push(...shop.stripe.renew(subscription));
          }
          for (const one of deliveries) await deliverWith(events[one.pick % events.length] as Event, one);
        }
        for (const event of events.toReversed()) await shop.deliver(event);
        const { payments, paid, periods } = await books(orgId);
        expect(Number(payments)).toBe(months.length);
        expect(Number(paid)).toBe(await shop.granted(orgId));
        expect(Number(paid)).toBe(Number(periods) * 50_000);
        expect((await shop.account(orgId)).subscriptionAvailable as number).toBe(50_000);
        expect(await shop.planOf(orgId)).toBe("pro");
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);
