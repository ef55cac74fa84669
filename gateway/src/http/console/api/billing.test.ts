import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type FakeStripe, signReport, startFakeStripe } from "../../../../../test/stripe/fake-stripe.ts";
import { createTestPayments } from "../../../billing/testing.ts";
import { OPERATOR, type Role } from "../../../identity/index.ts";
import { assert, credits, newId } from "../../../kit/index.ts";
import { createLedger } from "../../../ledger/index.ts";
import type { Console } from "../index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;
let stripe: FakeStripe;
const consoles: Partial<Record<"none" | "test" | "stripe", Console>> = {};

beforeAll(async () => {
  fixture = await createConsoleFixture();
  stripe = startFakeStripe({ now: () => Math.floor(Date.now() / 1000) });
  consoles.none = fixture.openConsole();
  consoles.test = fixture.openConsole({ testCheckout: true });
  consoles.stripe = fixture.openConsole({ stripe: stripe.settings });
});
afterAll(async () => {
  stripe.stop();
  await fixture.close();
});

let organizations = 0;

async function found(plan = "free"): Promise<{ id: string; slug: string }> {
  const slug = `billing-${++organizations}`;
  const created = await fixture.identity.organizations.create({ name: "Acme", slug, plan });
  assert(created.outcome === "ok", created.outcome);
  return created.organization;
}

async function openAs(
  organizationId: string,
  role: Role,
  at: keyof typeof consoles | Console,
): Promise<TestBrowser> {
  const email = `${role}-${newId()}@example.com`;
  await fixture.identity.members.add({ organizationId, email, role, actor: OPERATOR });
  const browser = fixture.openBrowser({ console: typeof at === "string" ? consoles[at] : at });
  okOf(await browser.command("redeem-link", { token: await fixture.linkFor(email, "sign-in") }));
  return browser;
}

async function report(events: ReturnType<FakeStripe["pay"]>): Promise<void> {
  const payments = createTestPayments({ db: fixture.db, stripe: stripe.settings });
  for (const event of events) {
    const { body, signature } = signReport(event);
    await payments.receive(body, signature);
  }
}

describe("the test checkout", () => {
  test("grants packs once, even if they are paid ten times, and lists the order", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    const { url } = okOf(await owner.command("billing.buy", { packs: ["medium", "small"] }));
    const orderId = url.split("/").at(-1) ?? "";
    expect(url).toBe(`http://127.0.0.1:8787/console/billing/checkout/${orderId}`);
    expect(okOf(await owner.query("order.get", { id: orderId })).status).toBe("open");
    expect(okOf(await owner.query("billing.get", {})).balance.anytime).toBe(0);
    const paid = await Promise.all(
      Array.from({ length: 10 }, () => owner.command("order.pay-test", { id: orderId })),
    );
    expect(paid.every(({ status }) => status === 200)).toBe(true);
    const view = okOf(await owner.query("billing.get", {}));
    expect(view.balance).toMatchObject({ anytime: 110_000, worthUsd: 110 });
    expect(view.orders).toMatchObject([{ id: orderId, status: "paid", isTest: true, usd: 105 }]);
  });

  test("shows the value of the balance at the configured price of a credit", async () => {
    const { id } = await found();
    await createLedger(fixture.db).grant({
      orgId: id,
      pool: "anytime",
      amount: credits(12_345),
      reference: null,
      expiresAt: null,
      kind: "manual",
      description: "a gift",
    });
    const cheap = fixture.openConsole({ creditMicroUsd: 100 });
    const [member, owner] = [await openAs(id, "member", cheap), await openAs(id, "owner", "none")];
    expect(okOf(await member.query("billing.get", {})).balance.worthUsd).toBe(1.23);
    expect(okOf(await owner.query("billing.get", {})).balance.worthUsd).toBe(12.34);
  });

  test("changes to a paid plan, and back to the free one", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
    okOf(await owner.command("order.pay-test", { id: url?.split("/").at(-1) ?? "" }));
    const view = okOf(await owner.query("billing.get", {}));
    expect(view).toMatchObject({ plan: "pro", paidBy: "test", balance: { subscription: 50_000 } });
    expect(view.renewsAt).toBe(view.balance.subscriptionExpiresAt);
    expect((await owner.command("billing.change-plan", { plan: "pro" })).problem?.code).toBe("conflict");
    expect(okOf(await owner.command("billing.change-plan", { plan: "free" }))).toEqual({ url: null });
    const after = okOf(await owner.query("billing.get", {}));
    expect(after).toMatchObject({ plan: "free", renewsAt: null, balance: { subscription: 50_000 } });
  });

  test("does not exist if Stripe is configured, or if no payments are", async () => {
    const { id } = await found();
    const tester = await openAs(id, "owner", "test");
    const { url } = okOf(await tester.command("billing.buy", { packs: ["small"] }));
    for (const mode of ["stripe", "none"] as const) {
      const owner = await openAs(id, "owner", mode);
      const refused = await owner.command("order.pay-test", { id: url.split("/").at(-1) ?? "" });
      expect(refused.problem?.code).toBe("not_found");
    }
  });

  test("cannot pay an order of Stripe", async () => {
    const { id } = await found();
    okOf(await (await openAs(id, "owner", "stripe")).command("billing.buy", { packs: ["small"] }));
    const tester = await openAs(id, "owner", "test");
    const order = okOf(await tester.query("billing.get", {})).orders[0];
    expect((await tester.command("order.pay-test", { id: order?.id ?? "" })).status).toBe(404);
  });
});

describe("Stripe's checkout", () => {
  test("redirects to Stripe; until Stripe reports the payment, the order is open and nothing is granted", async () => {
    const { id } = await found();
    const admin = await openAs(id, "admin", "stripe");
    const { url } = okOf(await admin.command("billing.buy", { packs: ["small"] }));
    expect(url.startsWith(stripe.settings.apiUrl)).toBe(true);
    const session = stripe.sessions.get(url.split("/").at(-1) ?? "");
    const orderId = session?.metadata["bursar_order"] ?? "";
    expect(session?.success_url).toBe(
      `http://127.0.0.1:8787/console/billing?organization=${id}&order=${orderId}`,
    );
    expect(okOf(await admin.query("order.get", { id: orderId })).status).toBe("open");
    expect(okOf(await admin.query("billing.get", {})).balance.anytime).toBe(0);
    await report(stripe.pay(session?.id ?? ""));
    expect(okOf(await admin.query("order.get", { id: orderId })).status).toBe("paid");
    expect(okOf(await admin.query("billing.get", {})).balance.anytime).toBe(10_000);
  });

  test("has a page for card and invoices that returns to the organization", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "stripe");
    const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
    await report(stripe.pay(url?.split("/").at(-1) ?? ""));
    const portal = new URL(okOf(await owner.command("billing.portal", {})).url);
    expect(portal.searchParams.get("return_url")).toBe(
      `http://127.0.0.1:8787/console/billing?organization=${id}`,
    );
  });

  test("reports that the page for card and invoices is not available while Stripe is down", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "stripe");
    const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
    await report(stripe.pay(url?.split("/").at(-1) ?? ""));
    stripe.failNext(10);
    const { problem } = await owner.command("billing.portal", {});
    stripe.failNext(0);
    expect(problem).toMatchObject({
      code: "busy",
      message: "Stripe could not be reached, so card and invoices cannot be shown. Try again in a moment.",
    });
  });

  test("refuses to sell a plan while the payment of one is being processed", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "stripe");
    const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
    stripe.pay(url?.split("/").at(-1) ?? "");
    const { problem } = await owner.command("billing.change-plan", { plan: "pro" });
    expect(problem).toMatchObject({
      code: "conflict",
      message: "A payment for a plan is still being processed. Wait until it appears here.",
    });
  });

  test("reports that Stripe could not be reached, without secrets", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "stripe");
    stripe.failNext(10);
    const { problem } = await owner.command("billing.buy", { packs: ["small"] });
    stripe.failNext(0);
    expect(problem).toMatchObject({
      code: "busy",
      message: expect.stringContaining("Stripe could not be reached"),
    });
    expect(JSON.stringify(problem)).not.toContain("sk_test");
  });
});

describe("permissions", () => {
  test("members cannot buy or see orders and the ledger, and are told whom to ask", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    okOf(await owner.command("billing.buy", { packs: ["small"] }));
    const member = await openAs(id, "member", "test");
    for (const refused of [
      await member.command("billing.buy", { packs: ["small"] }),
      await member.command("billing.change-plan", { plan: "pro" }),
      await member.command("order.pay-test", { id: newId() }),
      await member.command("billing.portal", {}),
      await member.query("ledger.list", {}),
      await member.query("order.get", { id: newId() }),
    ]) {
      expect(refused.problem?.code).toBe("forbidden");
    }
    const view = okOf(await member.query("billing.get", {}));
    expect(view.orders).toEqual([]);
    expect(view.buyers).toHaveLength(1);
  });

  test("owners and admins see the debt and where to pay a failed payment; members do not", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "stripe");
    const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
    const sessionId = url?.split("/").at(-1) ?? "";
    await report(stripe.pay(sessionId));
    await report(stripe.renew(String(stripe.sessions.get(sessionId)?.subscription), "failed"));
    await fixture.db.pool.query("update accounts set debt = 7 where org_id = $1", [id]);
    for (const role of ["owner", "admin"] as const) {
      const payer = await openAs(id, role, "stripe");
      const view = okOf(await payer.query("billing.get", {}));
      expect(view.paymentFailed?.payUrl).toStartWith("https://");
      expect(view.balance.debt).toBe(7);
      expect(okOf(await payer.query("usage.overview")).balance.debt).toBe(7);
    }
    const member = await openAs(id, "member", "stripe");
    const view = okOf(await member.query("billing.get", {}));
    expect([view.paymentFailed, view.balance.debt]).toEqual([null, 0]);
    expect(okOf(await member.query("usage.overview")).balance.debt).toBe(0);
  });

  test("admins buy packs; only owners change the plan, in every way", async () => {
    const { id } = await found();
    const [owner, admin] = [await openAs(id, "owner", "test"), await openAs(id, "admin", "test")];
    expect((await admin.command("billing.buy", { packs: ["small"] })).status).toBe(200);
    expect((await admin.command("billing.change-plan", { plan: "pro" })).problem?.code).toBe("forbidden");
    const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
    const paid = await admin.command("order.pay-test", { id: url?.split("/").at(-1) ?? "" });
    expect(paid.problem?.code).toBe("forbidden");
  });

  test("another organization's order is answered like one that does not exist", async () => {
    const [one, other] = [await found(), await found()];
    const owner = await openAs(one.id, "owner", "test");
    const stranger = await openAs(other.id, "owner", "test");
    const { url } = okOf(await owner.command("billing.buy", { packs: ["small"] }));
    const id = url.split("/").at(-1) ?? "";
    const missing = newId();
    for (const ask of [
      (order: string) => stranger.query("order.get", { id: order }),
      (order: string) => stranger.command("order.pay-test", { id: order }),
    ]) {
      const [foreign, none] = [await ask(id), await ask(missing)];
      expect({ ...foreign, headers: null }).toEqual({ ...none, headers: null });
    }
    expect(okOf(await owner.query("order.get", { id })).status).toBe("open");
  });

  test("an inactive organization can neither buy nor pay an open order", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    const { url } = okOf(await owner.command("billing.buy", { packs: ["small"] }));
    await fixture.identity.organizations.update({ organizationId: id, active: false, actor: OPERATOR });
    expect((await owner.command("billing.buy", { packs: ["small"] })).problem?.code).toBe("forbidden");
    const paid = await owner.command("order.pay-test", { id: url.split("/").at(-1) ?? "" });
    expect(paid.problem?.code).toBe("forbidden");
  });
});

test("a plan that only an operator can set has a renewal date, and is not offered", async () => {
  const { id } = await found("partner");
  const view = okOf(await (await openAs(id, "owner", "test")).query("billing.get", {}));
  expect(view.plans.map(({ name }) => name)).toEqual(["free", "pro", "enterprise"]);
  const { rows } = await fixture.db.pool.query("select renews_at from subscriptions where org_id = $1", [id]);
  expect(view.renewsAt).toBe(rows[0]?.renews_at.toISOString());
  const without = okOf(await (await openAs((await found()).id, "owner", "test")).query("billing.get", {}));
  expect(without.renewsAt).toBeNull();
});

describe("an order", () => {
  test("is refused if payments are not configured", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "none");
    expect((await owner.command("billing.buy", { packs: ["small"] })).problem?.code).toBe("conflict");
    expect((await owner.command("billing.change-plan", { plan: "pro" })).problem?.code).toBe("conflict");
  });

  test("is refused for an unknown pack or plan, or with unknown fields", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    expect((await owner.command("billing.buy", { packs: ["nonsense"] })).problem?.field).toBe("packs");
    expect((await owner.command("billing.buy", { packs: ["__proto__"] })).problem?.field).toBe("packs");
    expect((await owner.command("billing.change-plan", { plan: "nonsense" })).problem?.field).toBe("plan");
    const greedy = { packs: ["small"], credits: 1_000_000, usd: 0 } as { packs: string[] };
    expect((await owner.command("billing.buy", greedy)).status).toBe(400);
  });
});

describe("the ledger", () => {
  test("is listed newest first, in pages, with signed amounts and running balances, and can be filtered", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    const ledger = createLedger(fixture.db);
    for (let n = 1; n <= 5; n++) {
      await ledger.grant({
        orgId: id,
        pool: "anytime",
        amount: credits(n),
        reference: null,
        expiresAt: null,
        kind: "manual",
        description: `gift ${n}`,
      });
    }
    const first = okOf(await owner.query("ledger.list", { limit: 3 }));
    expect(first.rows.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
      [5, 15],
      [4, 10],
      [3, 6],
    ]);
    const second = okOf(await owner.query("ledger.list", { limit: 3, cursor: first.nextCursor ?? "" }));
    expect(second.rows.map(({ description }) => description)).toEqual(["gift 2", "gift 1"]);
    expect(second.nextCursor).toBeNull();
    const charges = okOf(await owner.query("ledger.list", { type: "charge" }));
    expect(charges).toEqual({ rows: [], nextCursor: null });
    expect(okOf(await owner.query("ledger.list", { pool: "subscription" })).rows).toEqual([]);
    expect(okOf(await owner.query("ledger.list", { type: "grant", pool: "anytime" })).rows).toHaveLength(5);
  });

  test("refuses an invalid cursor, limit or filter", async () => {
    const { id } = await found();
    const owner = await openAs(id, "owner", "test");
    const wrong: object[] = [
      { cursor: "-1" },
      { cursor: "1 or 1=1" },
      { cursor: "9".repeat(30) },
      { limit: 0 },
      { limit: 1e9 },
      { pool: "other" },
      { type: "steal" },
      { orgId: newId() },
    ];
    for (const input of wrong) expect((await owner.query("ledger.list", input)).status).toBe(400);
  });
});
