import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type FakeStripe, signReport, startFakeStripe } from "../../../../../test/stripe/fake-stripe.ts";
import { createTestPayments } from "../../../billing/testing.ts";
import { OPERATOR } from "../../../identity/index.ts";
import { assert, newId } from "../../../kit/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;
let stripe: FakeStripe;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  stripe = startFakeStripe({ now: () => Math.floor(Date.now() / 1000) });
});
afterAll(async () => {
  stripe.stop();
  await fixture.close();
});

let payers = 0;

type Payer = { readonly orgId: string; readonly owner: TestBrowser };

/** Pays for a plan that had another price, other credits or another name on that day. */
async function payerOf(
  plan: string,
  then: { cents: number; credits: number; name?: string },
): Promise<Payer> {
  const created = await fixture.identity.organizations.create({
    name: "Acme",
    slug: `payer-${++payers}`,
    plan: "free",
  });
  assert(created.outcome === "ok", created.outcome);
  const orgId = created.organization.id;
  const email = `owner-${newId()}@example.com`;
  await fixture.identity.members.add({ organizationId: orgId, email, role: "owner", actor: OPERATOR });
  const owner = fixture.openBrowser({ console: fixture.openConsole({ stripe: stripe.settings }) });
  okOf(await owner.command("redeem-link", { token: await fixture.linkFor(email, "sign-in") }));
  const { url } = okOf(await owner.command("billing.change-plan", { plan }));
  const payments = createTestPayments({ db: fixture.db, stripe: stripe.settings });
  for (const event of stripe.pay(url?.split("/").at(-1) ?? "")) {
    const { body, signature } = signReport(event);
    await payments.receive(body, signature);
  }
  const { pool } = fixture.db;
  await pool.query(
    "update payment_orders set amount_cents = $2, credits = $3, item = coalesce($4, item) where org_id = $1",
    [orgId, then.cents, then.credits, then.name ?? null],
  );
  if (then.name !== undefined) {
    await pool.query("update organization set plan = $2 where id = $1", [orgId, then.name]);
  }
  return { orgId, owner };
}

const billingOf = async ({ owner }: Payer) => okOf(await owner.query("billing.get", {}));

describe("a plan whose price changed after it was bought", () => {
  test("is shown at the price that is paid, and other plans at their current price", async () => {
    const view = await billingOf(await payerOf("pro", { cents: 3_900, credits: 40_000 }));
    expect(view.paid).toEqual({ usd: 39, monthlyCredits: 40_000 });
    expect(view.plans.map(({ name, usd, monthlyCredits }) => [name, usd, monthlyCredits])).toEqual([
      ["free", 0, 0],
      ["pro", 39, 40_000],
      ["enterprise", 499, 600_000],
    ]);
  });

  test("is shown at the price of its order if it is the next plan", async () => {
    const payer = await payerOf("enterprise", { cents: 49_900, credits: 600_000 });
    okOf(await payer.owner.command("billing.change-plan", { plan: "pro" }));
    await fixture.db.pool.query(
      "update payment_orders set amount_cents = 3900, credits = 40000 where org_id = $1 and item = 'pro'",
      [payer.orgId],
    );
    const view = await billingOf(payer);
    expect(view.nextPlan).toBe("pro");
    expect(view.plans.find(({ name }) => name === "pro")).toMatchObject({ usd: 39, monthlyCredits: 40_000 });
  });
});

describe("the shown effect of a plan change is what the change does", () => {
  test.each([
    ["to a more expensive plan", 3_900, "checkout"],
    ["to a plan that has become the cheaper one", 60_000, "later"],
  ] as const)("%s", async (_, cents, change) => {
    const payer = await payerOf("pro", { cents, credits: 40_000 });
    const { plans } = await billingOf(payer);
    expect(plans.map((plan) => plan.change)).toEqual(["later", "same", change]);
    const { url } = okOf(await payer.owner.command("billing.change-plan", { plan: "enterprise" }));
    expect(url === null ? "later" : "checkout").toBe(change);
  });

  test("back to the plan that was cancelled", async () => {
    const payer = await payerOf("pro", { cents: 3_900, credits: 40_000 });
    okOf(await payer.owner.command("billing.change-plan", { plan: "free" }));
    const { plans } = await billingOf(payer);
    expect(plans.map((plan) => plan.change)).toEqual(["later", "stay", "checkout"]);
    expect(okOf(await payer.owner.command("billing.change-plan", { plan: "pro" }))).toEqual({ url: null });
  });
});

describe("a plan that an operator set beside the paid one", () => {
  async function givenTo(payer: Payer, plan: string): Promise<string[]> {
    await fixture.identity.organizations.update({ organizationId: payer.orgId, plan, actor: OPERATOR });
    return (await billingOf(payer)).plans.map(({ change }) => change);
  }

  test("cannot be bought", async () => {
    const payer = await payerOf("pro", { cents: 3_900, credits: 40_000 });
    expect(await givenTo(payer, "enterprise")).toEqual(["later", "same", "arranged"]);
    const { status, problem } = await payer.owner.command("billing.change-plan", { plan: "enterprise" });
    expect([status, problem?.message]).toEqual([409, expect.stringContaining("set by whoever")]);
  });

  test("does not prevent cancelling the paid one, even if it is the free plan", async () => {
    const payer = await payerOf("pro", { cents: 3_900, credits: 40_000 });
    expect(await givenTo(payer, "free")).toEqual(["later", "same", "checkout"]);
    okOf(await payer.owner.command("billing.change-plan", { plan: "free" }));
    expect((await billingOf(payer)).endsAt).not.toBeNull();
  });
});

test("a paid plan that is no longer sold still renews on the paid terms", async () => {
  const payer = await payerOf("enterprise", { cents: 7_900, credits: 80_000, name: "team-2025" });
  const view = await billingOf(payer);
  expect(view).toMatchObject({ plan: "team-2025", paid: { usd: 79, monthlyCredits: 80_000 } });
  expect(view.renewsAt).not.toBeNull();
  expect(view.plans.map(({ change }) => change)).toEqual(["later", "later", "checkout"]);
  expect(okOf(await payer.owner.command("billing.change-plan", { plan: "pro" }))).toEqual({ url: null });
});
