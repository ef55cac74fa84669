import { afterAll, expect, test } from "bun:test";
import { type FakeStripe, signReport, startFakeStripe } from "../stripe/fake-stripe.ts";
import type { Event } from "../stripe/stripe-objects.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser } from "./browser.ts";

let origin = "";

async function report(events: readonly Event[]): Promise<void> {
  for (const event of events) {
    const { body, signature } = signReport(event);
    const answer = await fetch(`${origin}/webhooks/stripe`, {
      method: "POST",
      headers: { "stripe-signature": signature },
      body: new Blob([body as BlobPart]),
    });
    expect(answer.status).toBe(200);
  }
}

const stripe: FakeStripe = startFakeStripe({ now: () => Math.floor(Date.now() / 1000), onReports: report });
afterAll(() => stripe.stop());

describeInBrowser(
  "paying through Stripe",
  (console) => {
    test("the page after the checkout waits until Stripe reports the payment, and then shows it", async () => {
      origin = console.gateway.origin;
      const organization = await console.gateway.found({ plan: "free", credits: 0 });
      const page = await console.openAs(organization, "admin", "/billing");
      await page.getByRole("button", { name: /^Buy 10,000 credits/ }).click();
      await page.getByRole("heading", { name: "10,000 anytime credits" }).waitFor();
      await page.getByRole("link", { name: "skip" }).click();
      await page.getByText("Waiting for the payment of 10,000 anytime credits.").waitFor();
      await expectAccessible(page);
      expect(await page.getByRole("cell", { name: "+10,000" }).count()).toBe(0);
      await report(stripe.pay([...stripe.sessions.keys()].at(-1) ?? ""));
      await page.getByText("Thank you. You bought 10,000 anytime credits.").waitFor();
      await page.getByRole("cell", { name: "+10,000" }).waitFor();
    });

    test("a user who returns while another organization is chosen is offered the one that paid", async () => {
      origin = console.gateway.origin;
      const [first, second] = [
        await console.gateway.found({ plan: "free", credits: 0 }),
        await console.gateway.found({ plan: "free", credits: 0 }),
      ];
      await first.addMember("payer@example.com", "owner");
      await second.addMember("payer@example.com", "owner");
      const page = await console.openFor("payer@example.com", "/billing");
      const looked = page.getByLabel("Organization", { exact: true });
      const payerOrganization = await looked.inputValue();
      await page.getByRole("button", { name: /^Buy 10,000 credits/ }).click();
      await page.getByRole("heading", { name: "10,000 anytime credits" }).waitFor();
      const other = await page.context().newPage();
      await other.goto("/console/billing");
      const elsewhere = payerOrganization === first.id ? second.id : first.id;
      await other.getByLabel("Organization", { exact: true }).selectOption(elsewhere);
      await other.getByText("Add anytime credits").waitFor();
      await page.getByRole("link", { name: "skip" }).click();
      await page.getByText(/^You came here for .*, and are looking at /).waitFor();
      expect(await looked.inputValue()).toBe(elsewhere);
      expect(await page.getByText(/There is no such|Waiting for the payment/).count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole("button", { name: /^Go to / }).click();
      await page.getByText("Waiting for the payment of 10,000 anytime credits.").waitFor();
      expect(await looked.inputValue()).toBe(payerOrganization);
      // A user who then chooses the other organization by hand did not come for the first.
      await looked.selectOption(elsewhere);
      await page.waitForURL((url) => url.search === "");
      expect(await page.getByText(/^You came here for /).count()).toBe(0);
    });

    test("a plan is bought, cancelled at the end of its month, and kept after all", async () => {
      origin = console.gateway.origin;
      const organization = await console.gateway.found({ plan: "free", credits: 0 });
      const page = await console.openAs(organization, "owner", "/billing");
      await page.getByRole("button", { name: "Change to Pro" }).click();
      await page.getByRole("button", { name: /Go to checkout/ }).click();
      await page.getByRole("button", { name: "Pay" }).click();
      await page.getByText("The Pro plan has started").waitFor();
      await page.getByText(/^The Pro plan is charged and renewed on/).waitFor();
      await page.getByRole("button", { name: "Change to Free" }).click();
      await page.getByText("After that, nothing more is charged.").waitFor();
      await page.getByRole("button", { name: "Change the plan" }).click();
      await page.getByText(/^The Pro plan ends on/).waitFor();
      await page.getByRole("button", { name: "Stay with Pro" }).click();
      await page.getByRole("button", { name: "Change the plan" }).click();
      await page.getByText(/^The Pro plan is charged and renewed on/).waitFor();
      await page.getByRole("button", { name: "Card and invoices" }).waitFor();
      await expectAccessible(page);
    });

    test("the plan buttons are named for what they do, whatever plan an operator has set", async () => {
      origin = console.gateway.origin;
      const organization = await console.gateway.found({ plan: "free", credits: 0 });
      const page = await console.openAs(organization, "owner", "/billing");
      await page.getByRole("button", { name: "Change to Pro" }).click();
      await page.getByRole("button", { name: /Go to checkout/ }).click();
      await page.getByRole("button", { name: "Pay" }).click();
      await page.getByText("The Pro plan has started").waitFor();
      const buttonsWith = async (plan: string) => {
        const { identity } = console.gateway.services;
        const actor = { kind: "operator" } as const;
        await identity.organizations.update({ organizationId: organization.id, plan, actor });
        await page.goto("/console/billing");
        await page.getByText("Your plan", { exact: true }).waitFor();
        return page.getByRole("button", { name: /^(Stay with|Change to) / }).allTextContents();
      };
      expect(await buttonsWith("enterprise")).toEqual(["Change to Free"]);
      expect(await buttonsWith("free")).toEqual(["Change to Free", "Change to Enterprise"]);
    });

    test("the checkout can be opened again after its navigation was stopped", async () => {
      origin = console.gateway.origin;
      const organization = await console.gateway.found({ plan: "free", credits: 0 });
      const page = await console.openAs(organization, "owner", "/billing");
      await page.clock.install();
      // Aborts the navigation, as the Escape key does.
      await page.route(`${stripe.settings.apiUrl}/**`, (route) => route.abort("aborted"));
      async function leaveAndStop(name: RegExp): Promise<void> {
        const button = page.getByRole("button", { name });
        const stopped = page.waitForEvent("requestfailed", (request) => request.isNavigationRequest());
        await button.click();
        await stopped;
        expect(await button.isDisabled()).toBe(true);
        await page.clock.runFor(5_000);
        expect(await button.isDisabled()).toBe(false);
      }
      await leaveAndStop(/^Buy 10,000 credits/);
      await page.getByRole("button", { name: "Change to Pro" }).click();
      await leaveAndStop(/^Go to checkout/);
    });

    test("a debt and a refund are shown", async () => {
      origin = console.gateway.origin;
      const organization = await console.gateway.found({ plan: "free", credits: 0 });
      const page = await console.openAs(organization, "owner", "/billing");
      await page.getByRole("button", { name: /^Buy 10,000 credits/ }).click();
      await page.getByRole("button", { name: "Pay" }).click();
      await page.getByText("Thank you").waitFor();
      const { ledger } = console.gateway.services;
      const spent = { orgId: organization.id, pool: "anytime", amount: -4_000 as never } as const;
      await ledger.adjust({ ...spent, description: "spent" });
      const intent = [...stripe.sessions.values()].at(-1)?.payment_intent ?? "";
      await report(stripe.refund(intent, 1_000, 1_000));
      await page.goto("/console/billing");
      await page.getByText("4,000 credits are owed.").waitFor();
      await page.getByText("Refunded", { exact: true }).waitFor();
      await expectAccessible(page);
    });
  },
  {
    STRIPE_SECRET_KEY: stripe.settings.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.settings.webhookSecret,
    STRIPE_API_URL: stripe.settings.apiUrl,
  },
);
