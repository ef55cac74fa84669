import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { signReport } from "../../../../test/stripe/fake-stripe.ts";
import type { Event } from "../../../../test/stripe/stripe-objects.ts";
import { armFailpoint, FailpointError } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createTestPayments } from "../testing.ts";
import { buyerOf, createPaymentFixture, type PaymentFixture } from "./payments-testing.ts";

let shop: PaymentFixture;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());

/** The report that a paid pack causes, changed before it is signed. */
async function paidReport(orgId: string, change: (session: Record<string, unknown>) => void = () => {}) {
  const session = await shop.order(orgId, { pack: "small" });
  const event = shop.stripe.pay(session)[0] as Event;
  change(event.data.object);
  return { session, event };
}

const anytime = async (orgId: string) => (await shop.account(orgId)).anytimeAvailable as number;

describe("a pack", () => {
  test("is ordered before checkout, and granted when Stripe reports the payment", async () => {
    const orgId = await shop.found();
    const session = await shop.order(orgId, { pack: "small" });
    const [order] = await shop.payments.orders(orgId, 10);
    expect(order).toMatchObject({ status: "open", item: "small", amountCents: 1_000, credits: 10_000 });
    expect(shop.stripe.sessions.get(session)).toMatchObject({
      mode: "payment",
      amount_total: 1_000,
      currency: "usd",
      client_reference_id: orgId,
      customer_email: "owner@example.com",
      metadata: { bursar_order: order?.id, bursar_organization: orgId },
      success_url: `http://127.0.0.1:8787/console/billing?organization=${orgId}&order=${order?.id}`,
      cancel_url: `http://127.0.0.1:8787/console/billing?organization=${orgId}&left=${order?.id}`,
    });
    expect(await anytime(orgId)).toBe(0);
    expect(await shop.deliver(...shop.stripe.pay(session))).toEqual(["done"]);
    expect(await anytime(orgId)).toBe(10_000);
    expect((await shop.payments.orders(orgId, 10))[0]?.status).toBe("paid");
  });

  test("is granted once for a hundred concurrent copies of the report", async () => {
    const orgId = await shop.found();
    const { event } = await paidReport(orgId);
    const report = signReport(event);
    const received = await Promise.all(Array.from({ length: 100 }, () => shop.receive(report)));
    expect(new Set(received)).toEqual(new Set(["done"]));
    expect(await anytime(orgId)).toBe(10_000);
    expect(await shop.granted(orgId)).toBe(10_000);
  });

  test("that expired unpaid is still granted when a payment is reported afterwards", async () => {
    const orgId = await shop.found();
    const session = await shop.order(orgId, { pack: "small" });
    const paid = shop.stripe.pay(session);
    expect(await shop.deliver(...shop.stripe.expire(session))).toEqual(["done"]);
    expect((await shop.payments.orders(orgId, 10))[0]?.status).toBe("expired");
    expect(await anytime(orgId)).toBe(0);
    await shop.deliver(...paid);
    expect((await shop.payments.orders(orgId, 10))[0]?.status).toBe("paid");
    expect(await anytime(orgId)).toBe(10_000);
  });

  test("paid by a slow transfer is granted when the transfer has arrived, not before", async () => {
    const orgId = await shop.found();
    const { event } = await paidReport(orgId, (session) => {
      session["payment_status"] = "unpaid";
    });
    expect(await shop.deliver(event)).toEqual(["ignored"]);
    const arrived = structuredClone(event);
    arrived.type = "checkout.session.async_payment_succeeded";
    arrived.data.object["payment_status"] = "paid";
    expect(await shop.deliver(arrived)).toEqual(["done"]);
    expect(await anytime(orgId)).toBe(10_000);
  });

  test("that Stripe cannot open is reported as unreachable, and its order expires", async () => {
    const orgId = await shop.found();
    shop.stripe.failNext(5);
    expect(await shop.payments.buyPacks(buyerOf(orgId), ["small"])).toEqual({ outcome: "unreachable" });
    shop.stripe.failNext(0);
    expect((await shop.payments.orders(orgId, 10))[0]?.status).toBe("expired");
  });

  test("can be ordered thirty times per hour", async () => {
    const orgId = await shop.found();
    const buy = () => shop.payments.buyPacks(buyerOf(orgId), ["small"]);
    const outcomes = [];
    for (let n = 0; n < 31; n++) outcomes.push((await buy()).outcome);
    expect(outcomes.slice(0, 30).every((outcome) => outcome === "ok")).toBe(true);
    expect(outcomes[30]).toBe("too_many");
  });
});

describe("a report with an invalid signature grants nothing", () => {
  const cases: Record<string, (event: Event) => ReturnType<typeof signReport>> = {
    "with no signature": (event) => ({ ...signReport(event), signature: "" }),
    "with an invalid signature": (event) => ({ ...signReport(event), signature: "t=1,v1=00" }),
    "signed with another secret": (event) => signReport(event, { secret: "whsec_of_somebody_else" }),
    "signed with an empty secret": (event) => signReport(event, { secret: "" }),
    "signed ten minutes ago": (event) =>
      signReport(event, { timestamp: Math.floor(Date.now() / 1000) - 600 }),
    "signed for ten minutes from now": (event) =>
      signReport(event, { timestamp: Math.floor(Date.now() / 1000) + 600 }),
    "altered after it was signed": (event) => {
      const { signature } = signReport(event);
      event.data.object["amount_total"] = 1;
      return { ...signReport(event), signature };
    },
    "with a signature of another scheme": (event) => {
      const report = signReport(event);
      return { ...report, signature: report.signature.replace("v1=", "v0=") };
    },
  };
  for (const [name, forge] of Object.entries(cases)) {
    test(name, async () => {
      const orgId = await shop.found();
      const { event } = await paidReport(orgId);
      expect(await shop.receive(forge(event))).toBe("forged");
      expect(await anytime(orgId)).toBe(0);
    });
  }
});

test("the log distinguishes a signed report of another time from a forged one", async () => {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warned.push(event) };
  const { database, stripe, ledger, metrics } = shop;
  const payments = createTestPayments({ db: database.db, ledger, metrics, log, stripe: stripe.settings });
  const { event } = await paidReport(await shop.found());
  const old = { timestamp: Math.floor(Date.now() / 1000) - 600 };
  for (const { body, signature } of [
    signReport(event, old),
    signReport(event, { timestamp: old.timestamp + 1_200 }),
    signReport(event, { ...old, secret: "whsec_of_somebody_else" }),
  ]) {
    expect(await payments.receive(body, signature)).toBe("forged");
  }
  expect(warned).toEqual(["payment_report_too_old", "payment_report_too_old", "payment_report_forged"]);
});

describe("a payment that differs from its order is refused and raises an alert", () => {
  const alerts = (reason: string) =>
    Number(
      new RegExp(`bursar_payment_alerts_total\\{reason="${reason}"\\} (\\d+)`).exec(
        shop.metrics.render(),
      )?.[1] ?? 0,
    );
  const marks = (session: Record<string, unknown>) => session["metadata"] as Record<string, string>;
  const cases: [string, string, Record<string, unknown>][] = [
    ["a smaller amount", "amount_differs", { amount_total: 999 }],
    ["no amount", "amount_differs", { amount_total: null }],
    ["another currency", "currency_differs", { currency: "jpy" }],
    ["another checkout of the same order", "checkout_differs", { id: "cs_other" }],
  ];
  for (const [name, reason, change] of cases) {
    test(name, async () => {
      const orgId = await shop.found();
      const before = alerts(reason);
      const { event } = await paidReport(orgId, (session) => void Object.assign(session, change));
      expect(await shop.deliver(event)).toEqual(["refused"]);
      expect(await anytime(orgId)).toBe(0);
      expect(alerts(reason)).toBe(before + 1);
    });
  }

  test("a payment of the live mode, while our key is one of the test mode", async () => {
    const orgId = await shop.found();
    const { event } = await paidReport(orgId);
    expect(await shop.deliver({ ...event, livemode: true })).toEqual(["refused"]);
    expect([await anytime(orgId), alerts("mode_differs")]).toEqual([0, 1]);
  });

  test("no organization", async () => {
    const orgId = await shop.found();
    const { event } = await paidReport(orgId, (session) => {
      delete marks(session)["bursar_organization"];
    });
    expect(await shop.deliver(event)).toEqual(["refused"]);
    expect(await anytime(orgId)).toBe(0);
  });

  test("another organization; neither of the two gets anything", async () => {
    const [orgId, otherId] = [await shop.found(), await shop.found()];
    const { event } = await paidReport(orgId, (session) => {
      marks(session)["bursar_organization"] = otherId;
    });
    expect(await shop.deliver(event)).toEqual(["refused"]);
    expect([await anytime(orgId), await anytime(otherId)]).toEqual([0, 0]);
  });

  test("the order of a plan, paid as a pack", async () => {
    const orgId = await shop.found();
    const plan = shop.stripe.sessions.get(await shop.order(orgId, { plan: "enterprise" }));
    const { event } = await paidReport(orgId, (session) => {
      session["metadata"] = plan?.metadata;
    });
    expect(await shop.deliver(event)).toEqual(["refused"]);
    expect(await anytime(orgId)).toBe(0);
  });

  test("a report with missing or wrong fields", async () => {
    const event = { id: "evt_1", type: "charge.refunded", data: { object: { id: 7 } } };
    expect(await shop.receive(signReport(event))).toBe("refused");
    expect(await shop.receive(signReport({ hello: "there" }))).toBe("refused");
  });
});

describe("reports about foreign payments are ignored", () => {
  test("without an order, with an unknown order, or of an unknown type", async () => {
    const orgId = await shop.found();
    const without = await paidReport(orgId, (session) => {
      session["metadata"] = {};
    });
    const foreign = await paidReport(orgId, (session) => {
      session["metadata"] = { bursar_order: crypto.randomUUID() };
    });
    const nonsense = await paidReport(orgId, (session) => {
      session["metadata"] = { bursar_order: "' or 1=1" };
    });
    const unknown = { ...without.event, type: "customer.created" };
    const received = await shop.deliver(without.event, foreign.event, nonsense.event, unknown);
    expect(new Set(received)).toEqual(new Set(["ignored"]));
    expect(await anytime(orgId)).toBe(0);
  });
});

describe("a crash in the middle is repaired by Stripe's next report", () => {
  for (const point of ["webhook_after_verify", "grant_after_commit"] as const) {
    test(`at ${point}`, async () => {
      const orgId = await shop.found();
      const { event } = await paidReport(orgId);
      const disarm = armFailpoint(point, () => {
        throw new FailpointError(point);
      });
      await expect(shop.deliver(event)).rejects.toThrow(point);
      disarm();
      expect(await shop.deliver(event)).toEqual(["done"]);
      expect(await anytime(orgId)).toBe(10_000);
      expect((await shop.payments.orders(orgId, 1))[0]?.status).toBe("paid");
    });
  }
});
