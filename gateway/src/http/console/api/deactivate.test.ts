import { afterAll, beforeAll, expect, test } from "bun:test";
import { type FakeStripe, signReport, startFakeStripe } from "../../../../../test/stripe/fake-stripe.ts";
import { createTestPayments } from "../../../billing/testing.ts";
import type { OrganizationRecord } from "../../../identity/index.ts";
import { silentLog } from "../../../telemetry/index.ts";
import type { Console } from "../index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;
let stripe: FakeStripe;
let selling: Console;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  stripe = startFakeStripe({ now: () => Math.floor(Date.now() / 1000) });
  selling = fixture.openConsole({ stripe: stripe.settings });
});
afterAll(async () => {
  stripe.stop();
  await fixture.close();
});

async function signIn(email: string, console: Console): Promise<TestBrowser> {
  const browser = fixture.openBrowser({ console });
  okOf(await browser.command("redeem-link", { token: await fixture.linkFor(email, "sign-in") }));
  return browser;
}

/** An owner whose organization pays for the pro plan, and its subscription at Stripe. */
async function subscribe(organization: OrganizationRecord) {
  const { email } = await fixture.addMember(organization.id, "owner");
  const owner = await signIn(email, selling);
  const { url } = okOf(await owner.command("billing.change-plan", { plan: "pro" }));
  const sessionId = url?.split("/").at(-1) ?? "";
  const payments = createTestPayments({ db: fixture.db, stripe: stripe.settings });
  for (const event of stripe.pay(sessionId)) {
    const { body, signature } = signReport(event);
    await payments.receive(body, signature);
  }
  return { email, owner, paid: stripe.subscriptions.get(stripe.sessions.get(sessionId)?.subscription ?? "") };
}

test("deactivating an organization ends its paid plan at the end of the paid period", async () => {
  const organization = await fixture.createOrganization();
  const { owner, paid } = await subscribe(organization);
  expect(okOf(await owner.query("billing.get", {}))).toMatchObject({ plan: "pro", endsAt: null });
  okOf(await owner.command("organization.deactivate", { confirm: organization.slug }));
  expect(paid).toMatchObject({ status: "active", cancel_at_period_end: true });
  const { endsAt, renewsAt } = okOf(await owner.query("billing.get", {}));
  expect([typeof endsAt, renewsAt]).toEqual(["string", null]);
});

test("an organization can be deactivated while Stripe is down", async () => {
  const organization = await fixture.createOrganization();
  const { owner, paid } = await subscribe(organization);
  stripe.failNext(10);
  okOf(await owner.command("organization.deactivate", { confirm: organization.slug }));
  stripe.failNext(0);
  expect(okOf(await owner.query("session")).organization?.isActive).toBe(false);
  expect(paid?.cancel_at_period_end).toBe(false);
});

test("deactivating does not wait for a silent Stripe; its later failure is logged", async () => {
  const organization = await fixture.createOrganization();
  const { email } = await subscribe(organization);
  const [asked, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const silent = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch() {
      asked.resolve();
      await given.promise;
      return Response.json({ error: { message: "key" } }, { status: 401 });
    },
  });
  const told = Promise.withResolvers<string>();
  const impatient = fixture.openConsole({
    stripe: { ...stripe.settings, apiUrl: `http://127.0.0.1:${silent.port}` },
    stripeWaitMs: 10,
    log: { ...silentLog, warn: told.resolve },
  });
  const owner = await signIn(email, impatient);
  okOf(await owner.command("organization.deactivate", { confirm: organization.slug }));
  expect(okOf(await owner.query("session")).organization?.isActive).toBe(false);
  await asked.promise;
  given.resolve();
  expect(await told.promise).toBe("console_subscription_ends_later");
  await silent.stop(true);
});
