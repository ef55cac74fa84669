import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Event } from "../../../../test/stripe/stripe-objects.ts";
import { armFailpoint, DAY_MS, FailpointError, HOUR_MS } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createBilling } from "../index.ts";
import { TEST_PLANS } from "../testing.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

/** An organization that pays for a plan, with its subscription at Stripe. */
async function subscribe(plan = "pro", orgId?: string) {
  const id = orgId ?? (await shop.found());
  const session = await shop.order(id, { plan });
  const events = shop.stripe.pay(session);
  await shop.deliver(...events);
  return { orgId: id, subscriptionId: shop.stripe.sessions.get(session)?.subscription ?? "", events };
}

const subscription = async (orgId: string) => (await shop.account(orgId)).subscriptionAvailable as number;
const change = async (orgId: string, plan: string) =>
  shop.payments.changePlan({ ...buyerOf(orgId), plan: await shop.planOf(orgId) }, plan);
const stateOf = (orgId: string) => shop.payments.planState(orgId);

describe("a plan that is paid", () => {
  test("begins with its first invoice with plan, period and credits, whichever report comes first", async () => {
    for (const isTurned of [false, true]) {
      const orgId = await shop.found();
      const events = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
      expect(await shop.planOf(orgId)).toBe("free");
      await shop.deliver(...(isTurned ? events.toReversed() : events));
      expect(await shop.planOf(orgId)).toBe("pro");
      expect(await subscription(orgId)).toBe(50_000);
      expect((await shop.payments.orders(orgId, 1))[0]).toMatchObject({ status: "paid", payments: 1 });
      expect((await stateOf(orgId)).state?.source).toBe("payment");
    }
  });

  test("is renewed once by every paid invoice, and what was left expires", async () => {
    const { orgId, subscriptionId, events } = await subscribe();
    await shop.advance(31 * DAY_MS);
    const renewed = shop.stripe.renew(subscriptionId);
    await Promise.all(Array.from({ length: 20 }, () => shop.deliver(...renewed, ...events)));
    expect(await subscription(orgId)).toBe(50_000);
    expect(await shop.granted(orgId)).toBe(100_000);
    expect((await shop.payments.orders(orgId, 1))[0]?.payments).toBe(2);
  });

  test("is not renewed by the schedule, and its period ends three hours after it renews", async () => {
    const { orgId } = await subscribe();
    const end = (await shop.account(orgId)).period?.endsAt.getTime() ?? 0;
    const renewsAt = (await stateOf(orgId)).state?.renewsAt.getTime() ?? 0;
    expect(end - renewsAt).toBe(3 * HOUR_MS);
    const { db } = shop.database;
    const billing = createBilling({ db, ledger: shop.ledger, plans: TEST_PLANS, log: silentLog });
    await shop.advance(31 * DAY_MS + 4 * HOUR_MS);
    await billing.renewDue();
    expect(await subscription(orgId)).toBe(0);
    expect(await shop.granted(orgId)).toBe(50_000);
  });

  test("is granted once after a crash between the period and the response", async () => {
    const orgId = await shop.found();
    const events = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
    const disarm = armFailpoint("grant_after_commit", () => {
      throw new FailpointError("crash");
    });
    await shop.deliver(...events).catch(() => {});
    disarm();
    await shop.deliver(...events);
    expect(await shop.granted(orgId)).toBe(50_000);
    expect((await stateOf(orgId)).subscription?.plan).toBe("pro");
  });

  test("is granted later when Stripe cannot be asked about the invoice", async () => {
    const orgId = await shop.found();
    const events = shop.stripe.pay(await shop.order(orgId, { plan: "pro" }));
    shop.stripe.failNext(3);
    await expect(shop.deliver(...events)).rejects.toThrow();
    shop.stripe.failNext(0);
    await shop.deliver(...events);
    expect(await shop.granted(orgId)).toBe(50_000);
  });
});

test("a period that began by schedule before the report arrived does not replace the paid one", async () => {
  const orgId = await shop.found("pro");
  const events = shop.stripe.pay(await shop.order(orgId, { plan: "enterprise" }));
  await shop.advance(60_000);
  const { db } = shop.database;
  await createBilling({ db, ledger: shop.ledger, plans: TEST_PLANS, log: silentLog }).renewDue();
  await shop.advance(60_000);
  await shop.deliver(...events);
  expect(await shop.planOf(orgId)).toBe("enterprise");
  expect(await subscription(orgId)).toBe(600_000);
});

describe("an invoice that differs from the current order", () => {
  test("in its amount grants nothing and changes no plan", async () => {
    const orgId = await shop.found();
    const session = await shop.order(orgId, { plan: "enterprise" });
    const inside = shop.stripe.sessions.get(session);
    if (inside) inside.amount_total = 100;
    expect(await shop.deliver(...shop.stripe.pay(session))).toEqual(["ignored", "refused"]);
    expect(await shop.planOf(orgId)).toBe("free");
    expect(await shop.granted(orgId)).toBe(0);
  });

  test("in its organization or currency grants nothing", async () => {
    const otherId = await shop.found();
    for (const spoil of ["organization", "currency"]) {
      const orgId = await shop.found();
      const session = await shop.order(orgId, { plan: "pro" });
      const inside = shop.stripe.sessions.get(session);
      if (inside && spoil === "currency") inside.currency = "jpy";
      if (inside && spoil === "organization") inside.subscription_metadata["bursar_organization"] = otherId;
      expect(await shop.deliver(...shop.stripe.pay(session))).toEqual(["ignored", "refused"]);
      expect([await shop.granted(orgId), await shop.granted(otherId)]).toEqual([0, 0]);
    }
  });
});

describe("an invoice that opens no month", () => {
  test("is one that is reported as paid but unpaid at Stripe", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(31 * DAY_MS);
    const [failed] = shop.stripe.renew(subscriptionId, "failed");
    expect(await shop.deliver({ ...(failed as Event), type: "invoice.paid" })).toEqual(["refused"]);
    expect(await shop.granted(orgId)).toBe(50_000);
  });

  test("is one for the order of a pack, even if all else fits", async () => {
    const orgId = await shop.found();
    const pack = shop.stripe.sessions.get(await shop.order(orgId, { pack: "small" }));
    const session = await shop.order(orgId, { plan: "pro" });
    const inside = shop.stripe.sessions.get(session);
    if (inside) inside.amount_total = 1_000;
    if (inside) inside.subscription_metadata["bursar_order"] = String(pack?.metadata["bursar_order"]);
    expect(await shop.deliver(...shop.stripe.pay(session))).toEqual(["ignored", "refused"]);
    expect([await shop.planOf(orgId), await shop.granted(orgId)]).toEqual(["free", 0]);
  });
});

describe("changing a plan", () => {
  test("to a more expensive one begins when it is paid, and the previous one is ended at Stripe", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(DAY_MS);
    const dearer = await subscribe("enterprise", orgId);
    expect(await shop.planOf(orgId)).toBe("enterprise");
    expect(await subscription(orgId)).toBe(600_000);
    expect(shop.stripe.subscriptions.get(subscriptionId)?.status).toBe("canceled");
    expect(shop.stripe.subscriptions.get(dearer.subscriptionId)?.status).toBe("active");
    const gone = shop.stripe.update(subscriptionId, { status: "canceled" });
    expect(await shop.deliver(...gone)).toEqual(["ignored"]);
    expect(await shop.planOf(orgId)).toBe("enterprise");
  });

  test("ends with the plan that was bought last when reports come in the wrong order", async () => {
    const orgId = await shop.found();
    const slow = await shop.order(orgId, { plan: "pro" });
    const first = shop.stripe.pay(slow);
    // The bank is slow: if Stripe already called it paid, the second plan could not be bought.
    Object.assign(shop.stripe.sessions.get(slow) ?? {}, { payment_status: "unpaid" });
    await shop.advance(60_000);
    const second = shop.stripe.pay(await shop.order(orgId, { plan: "enterprise" }));
    await shop.deliver(...second, ...first);
    expect(await shop.planOf(orgId)).toBe("enterprise");
    expect(await subscription(orgId)).toBe(600_000);
    const running = [...shop.stripe.subscriptions.values()].filter(
      ({ metadata, status }) => metadata["bursar_organization"] === orgId && status === "active",
    );
    expect(running).toHaveLength(1);
  });

  test("ends the old one at Stripe, even beside a replaced one that Stripe does not know", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(DAY_MS);
    const events = shop.stripe.pay(await shop.order(orgId, { plan: "enterprise" }));
    const real = shop.stripe.subscriptions.get(subscriptionId);
    await shop.database.db.pool.query(
      "insert into replaced_subscriptions (id, org_id) values ('sub_gone', $1)",
      [orgId],
    );
    await shop.deliver(...events);
    await shop.payments.endReplaced();
    expect(real?.status).toBe("canceled");
    const { rows } = await shop.database.db.pool.query(
      "select count(*) from replaced_subscriptions where org_id = $1 and not is_ended",
      [orgId],
    );
    expect(rows[0]?.count).toBe("0");
  });

  test("an invoice of a replaced plan opens no period and raises an alert", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(DAY_MS);
    await subscribe("enterprise", orgId);
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId));
    expect(await shop.planOf(orgId)).toBe("enterprise");
    expect(shop.metrics.render()).toContain('bursar_payment_alerts_total{reason="subscription_replaced"} 1');
  });

  test("to a cheaper one begins when the paid month is over", async () => {
    const { orgId, subscriptionId } = await subscribe("enterprise");
    expect(await change(orgId, "pro")).toEqual({ outcome: "changed" });
    expect(await shop.planOf(orgId)).toBe("enterprise");
    expect((await stateOf(orgId)).subscription).toMatchObject({ plan: "enterprise", next: { plan: "pro" } });
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId));
    expect(await shop.planOf(orgId)).toBe("pro");
    expect(await subscription(orgId)).toBe(50_000);
    expect((await stateOf(orgId)).subscription).toMatchObject({ plan: "pro", next: null });
  });

  test("can be undone before it has begun", async () => {
    const { orgId, subscriptionId } = await subscribe("enterprise");
    await change(orgId, "pro");
    expect(await change(orgId, "enterprise")).toEqual({ outcome: "changed" });
    expect(await change(orgId, "enterprise")).toEqual({ outcome: "same" });
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId));
    expect(await shop.planOf(orgId)).toBe("enterprise");
    expect(await subscription(orgId)).toBe(600_000);
  });

  test("in two windows leaves one checkout that can be paid", async () => {
    const orgId = await shop.found();
    const first = await shop.order(orgId, { plan: "pro" });
    const second = await shop.order(orgId, { plan: "pro" });
    expect(shop.stripe.sessions.get(first)?.status).toBe("expired");
    expect(shop.stripe.sessions.get(second)?.status).toBe("open");
  });

  test("that an operator set is refused as arranged", async () => {
    const orgId = await shop.found("pro");
    expect(await change(orgId, "free")).toEqual({ outcome: "arranged" });
    expect(await change(orgId, "pro")).toEqual({ outcome: "same" });
    expect(await change(orgId, "nonsense")).toEqual({ outcome: "unknown" });
  });
});

describe("the end of a plan", () => {
  test("comes with the end of the paid month; then the plan is the free one", async () => {
    const { orgId, subscriptionId } = await subscribe();
    expect(await change(orgId, "free")).toEqual({ outcome: "changed" });
    const { subscription: paid } = await stateOf(orgId);
    expect(paid?.endsAt).toBeInstanceOf(Date);
    expect(await shop.planOf(orgId)).toBe("pro");
    await shop.advance(31 * DAY_MS + 4 * HOUR_MS);
    await shop.deliver(...shop.stripe.update(subscriptionId, { status: "canceled" }));
    expect(await shop.planOf(orgId)).toBe("free");
    expect((await stateOf(orgId)).subscription).toBeUndefined();
    expect(await subscription(orgId)).toBe(0);
  });

  test("can be undone while the month lasts", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await change(orgId, "free");
    expect(await change(orgId, "pro")).toEqual({ outcome: "changed" });
    expect((await stateOf(orgId)).subscription?.endsAt).toBeNull();
    expect(shop.stripe.subscriptions.get(subscriptionId)?.cancel_at_period_end).toBe(false);
  });

  test("follows Stripe's current state when reports arrive out of order", async () => {
    const { orgId, subscriptionId } = await subscribe();
    const early = shop.stripe.update(subscriptionId, {
      cancel_at_period_end: true,
      cancel_at: 2_000_000_000,
    });
    const late = shop.stripe.update(subscriptionId, { cancel_at_period_end: false, cancel_at: null });
    await shop.deliver(...late, ...early);
    expect((await stateOf(orgId)).subscription?.endsAt).toBeNull();
  });

  test("leaves a plan alone that an operator set meanwhile", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.database.db.pool.query("update organization set plan = 'enterprise' where id = $1", [orgId]);
    await shop.deliver(...shop.stripe.update(subscriptionId, { status: "canceled" }));
    expect(await shop.planOf(orgId)).toBe("enterprise");
  });
});

describe("a failed renewal", () => {
  test("grants nothing, is reported once and shows where to pay; a later payment opens the period", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(31 * DAY_MS + 4 * HOUR_MS);
    const failed = shop.stripe.renew(subscriptionId, "failed");
    await shop.deliver(...failed, ...failed);
    expect(await subscription(orgId)).toBe(0);
    const { rows } = await shop.database.db.pool.query(
      "select from events where org_id = $1 and type = 'payment.failed'",
      [orgId],
    );
    expect(rows).toHaveLength(1);
    const { subscription: paid } = await stateOf(orgId);
    expect(paid).toMatchObject({
      state: "past_due",
      payUrl: expect.stringContaining("https://invoice.example/"),
    });
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId));
    expect(await subscription(orgId)).toBe(50_000);
    expect((await stateOf(orgId)).subscription).toMatchObject({ state: "active", payUrl: null });
  });

  test("followed by leaving the plan ends it immediately, and the owed month is no longer collected", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId, "failed"));
    expect(await change(orgId, "free")).toEqual({ outcome: "changed" });
    expect(shop.stripe.subscriptions.get(subscriptionId)?.status).toBe("canceled");
    expect(await shop.planOf(orgId)).toBe("free");
    expect((await stateOf(orgId)).subscription).toBeUndefined();
  });

  test("that is final falls back to the free plan", async () => {
    const { orgId, subscriptionId } = await subscribe();
    await shop.advance(31 * DAY_MS);
    await shop.deliver(...shop.stripe.renew(subscriptionId, "failed"));
    await shop.deliver(...shop.stripe.update(subscriptionId, { status: "unpaid" }));
    expect(await shop.planOf(orgId)).toBe("free");
  });
});

test("Stripe's billing portal is opened only for an organization that pays for a plan", async () => {
  const { orgId } = await subscribe();
  expect(await shop.payments.openPortal(orgId, "http://x")).toMatch(
    /^https:\/\/billing\.example\/portal\?.*return_url=http%3A%2F%2Fx/,
  );
  expect(await shop.payments.openPortal(await shop.found(), "http://x")).toBeNull();
});

test("a report of an invoice that Stripe does not know is an error, so that it is sent again", async () => {
  const { events } = await subscribe();
  const invoice = events.find(({ type }) => type === "invoice.paid") as Event;
  const foreign = structuredClone(invoice);
  foreign.data.object["id"] = "in_unknown";
  await expect(shop.deliver(foreign)).rejects.toThrow();
});
