import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { choosePage, describeInBrowser, PHONE } from "./browser.ts";

const stat = (page: Page, name: string) =>
  page.locator(".stat", { has: page.getByText(name, { exact: true }) }).locator(".stat-value");

describeInBrowser("buying credits on the test checkout", (console) => {
  test("the checkout link of a refused call selects the cheapest packs, and says when they have been paid", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const link = "/billing?credits=200000&needed=200000";
    const page = await console.openAs(organization, "admin", link);
    await page.getByText("200,000 more credits were needed").waitFor();
    expect(await page.getByRole("radio", { name: /200,000 credits/ }).isChecked()).toBe(true);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Buy 200,000 credits for $190" }).click();
    await page.getByText("This is not a real payment.").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Pretend to pay $190" }).click();
    await page.getByText("Thank you. You bought 200,000 anytime credits.").waitFor();
    await page.getByRole("cell", { name: "+200,000" }).waitFor();
    expect(await stat(page, "Anytime").textContent()).toBe("200,000");
    await page.goto(`/console${link}`);
    await page.getByText("they are here now: it can be sent again").waitFor();
    expect(await page.getByText("more credits were needed").count()).toBe(0);
    await expectAccessible(page);
  });

  test("the checkout link of a refused call offers to switch to the organization of that call", async () => {
    const poor = await console.gateway.found({ plan: "free", credits: 0 });
    const rich = await console.gateway.found({ plan: "free", credits: 9_000 });
    const link = `/billing?credits=25000&organization=${poor.id}`;
    const page = await console.openAs(rich, "owner", link);
    await page.getByText("You came here for an organization that you are not a member of.").waitFor();
    expect(await page.getByText("25,000 more credits were needed").count()).toBe(0);

    await poor.addMember("both@example.com", "owner");
    await rich.addMember("both@example.com", "owner");
    const both = await console.openFor("both@example.com", "/billing");
    const switched = both.getByLabel("Organization", { exact: true });
    const meant = (await switched.inputValue()) === poor.id ? rich : poor;
    await both.goto(`/console/billing?credits=25000&organization=${meant.id}`);
    await both.getByRole("button", { name: /^Go to / }).click();
    await both.getByText("25,000 more credits were needed").waitFor();
    expect(await switched.inputValue()).toBe(meant.id);
    await expectAccessible(both);
  });

  test("the conversation is still there after buying the credits that an answer needed", async () => {
    console.forgive(/status of 402/);
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const page = await console.openAs(organization, "owner", "/playground");
    await page.getByRole("textbox", { name: "Message" }).fill("What is left of me?");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Get credits" }).click();
    await page.getByRole("button", { name: /^Buy / }).click();
    await page.getByRole("button", { name: /^Pretend to pay/ }).click();
    await page.getByText("Thank you.").waitFor();
    await choosePage(page, "Playground");
    await page.locator(".by-person", { hasText: "What is left of me?" }).waitFor();
  });

  test("the ledger is requested beside the balance, not behind it", async () => {
    const page = await console.openAs(await console.gateway.found(), "owner");
    const ledger = page.waitForRequest("**/console/api/ledger.list?*");
    await page.route("**/console/api/billing.get", async (route) => {
      await ledger;
      await route.continue();
    });
    await choosePage(page, "Billing");
    await page.getByRole("heading", { name: "Ledger" }).waitFor();
  });

  test("pressing the buy button repeatedly makes one order", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const page = await console.openAs(organization, "owner", "/billing");
    // Delayed, so that the page and its button stay there to be clicked.
    await page.route("**/console/billing/checkout/*", async (route) => {
      await Bun.sleep(80);
      await route.continue();
    });
    await page.getByRole("button", { name: /^Buy 10,000 credits/ }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
      setInterval(() => button.click(), 5);
    });
    await page.getByRole("link", { name: "Back without paying" }).click();
    await page.getByText("nothing was paid").waitFor();
    await page.getByText("Not paid yet").first().waitFor();
    expect(await page.getByText("Not paid yet").count()).toBe(1);
  });

  test("leaving the checkout charges nothing, keeps the chosen pack, and the payment can be continued", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const page = await console.openAs(organization, "owner", "/billing");
    await page.getByRole("radio", { name: /^100,000 credits/ }).check();
    await page.getByRole("button", { name: /^Buy 100,000 credits/ }).click();
    await page.getByRole("link", { name: "Back without paying" }).click();
    await page.getByText("You left the checkout for 100,000 anytime credits. Nothing was paid.").waitFor();
    await page.getByText("Not paid yet").waitFor();
    expect(await page.getByText("Waiting for the payment").count()).toBe(0);
    expect(await page.getByRole("radio", { name: /^100,000 credits/ }).isChecked()).toBe(true);
    expect(await stat(page, "Anytime").textContent()).toBe("0");
    await expectAccessible(page);
    const left = page.url();
    await page.getByRole("link", { name: "Continue to payment" }).first().click();
    await page.getByRole("button", { name: "Pretend to pay $95" }).click();
    await page.getByText("Thank you. You bought 100,000 anytime credits.").waitFor();
    await page.goto(left);
    await page.getByRole("cell", { name: "+100,000" }).waitFor();
    expect(await page.getByText("Nothing was paid").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Continue to payment" }).count()).toBe(0);
  });

  test("an owner changes the plan, and its credits are available immediately", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const page = await console.openAs(organization, "owner", "/billing");
    await page.getByRole("button", { name: "Change to Pro" }).click();
    await page.getByText("with 50,000 credits for the first month").waitFor();
    await page.getByRole("button", { name: /Go to checkout/ }).click();
    await page.getByRole("button", { name: "Pretend to pay $49" }).click();
    await page.getByText("The Pro plan has started").waitFor();
    const order = new URL(page.url()).searchParams.get("order");
    await page.getByText(/^The Pro plan renews automatically on/).waitFor();
    expect(await stat(page, "From this month's plan").textContent()).toBe("50,000");
    await page.getByText("credits, worth $50", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Change to Free" }).click();
    await page.getByRole("button", { name: "Change the plan" }).click();
    await page.getByText("The plan is now Free.").waitFor();
    await page.getByText("The Pro plan has started").waitFor({ state: "detached" });
    await page.goto(`/console/billing/checkout/${order}`);
    await page.getByText("This order has already been paid.").waitFor();
    expect(await page.getByText("Back without paying").count()).toBe(0);
    await page.getByRole("link", { name: "Go to billing" }).click();
    await page.getByRole("heading", { name: "Billing", level: 1 }).waitFor();
  });

  test("an admin cannot change the plan; a member cannot buy and sees whom to ask", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    await organization.addMember("grace@example.com", "owner");
    const admin = await console.openAs(organization, "admin", "/billing");
    await admin.getByText("Only owners can change the plan.").waitFor();
    expect(await admin.getByRole("button", { name: /Change to/ }).count()).toBe(0);
    const member = await console.openAs(organization, "member", "/billing?credits=500", PHONE);
    await member.getByText("500 more credits were needed").waitFor();
    expect(await member.getByText("everything you bought").count()).toBe(0);
    await member.getByRole("link", { name: "grace@example.com" }).waitFor();
    expect(await member.getByRole("button", { name: /Buy/ }).count()).toBe(0);
    await expectAccessible(member);
  });
});

describeInBrowser("the ledger", (console) => {
  test("mentions kinds when empty only if a filter is chosen", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const page = await console.openAs(organization, "owner", "/billing");
    await page.getByText("No entries yet").waitFor();
    await page.getByLabel("Pool").selectOption("Anytime");
    await page.getByText("No entries of that kind yet").waitFor();
  });

  test("can be filtered and paged, on a dark phone without horizontal scrolling", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const { ledger } = console.gateway.services;
    for (let n = 1; n <= 30; n++) {
      await ledger.grant({
        orgId: organization.id,
        pool: "anytime",
        amount: n as never,
        reference: null,
        expiresAt: null,
        kind: "manual",
        description: `gift ${n} ${"of a very long reason ".repeat(3)}`,
      });
    }
    const page = await console.openAs(organization, "owner", "/billing", { ...PHONE, colorScheme: "dark" });
    await page.getByText("Gift 30 ").waitFor();
    expect(await page.getByText(/^Gift 1 /).count()).toBe(0);
    const ledgerRows = page.locator(".ledger tbody tr");
    const pager = page.getByRole("navigation", { name: "Pages of the ledger" });
    const focusedPlace = () =>
      page.evaluate(() => {
        const top = document.activeElement?.getBoundingClientRect().top ?? -1;
        return [document.activeElement?.textContent, top > 0 && top < 200];
      });
    for (const [page, newest] of [
      [2, /^Gift 20 /],
      [3, /^Gift 10 /],
    ] as const) {
      await pager.getByRole("button", { name: "Next" }).click();
      await pager.getByText(`Page ${page}`).waitFor();
      await ledgerRows.filter({ hasText: newest }).waitFor();
      // The page scrolls to the start of the ledger, and keyboard focus continues from there.
      expect(await focusedPlace()).toEqual(["Ledger", true]);
    }
    await page.getByText(/^Gift 1 /).waitFor();
    await page.goBack();
    await ledgerRows.filter({ hasText: /^Gift 20 / }).waitFor();
    await page.goForward();
    await page.reload();
    await page.getByText(/^Gift 1 /).waitFor();
    await pager.getByText("Page 3").waitFor();
    const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow).toBe(0);
    await expectAccessible(page);
    await page.getByLabel("Kind").selectOption("Spent");
    await page.getByText("No entries of that kind yet").waitFor();
    await page.reload();
    await page.getByText("No entries of that kind yet").waitFor();
    // A cursor that the gateway never issued.
    await page.goto("/console/billing?page=7&after=mine");
    await page.getByText("Gift 30 ").waitFor();
    expect(new URL(page.url()).search).toBe("");
  });
});

describeInBrowser(
  "without any checkout",
  (console) => {
    test("the billing page shows the operator's command for granting credits, and no buttons to buy", async () => {
      const organization = await console.gateway.found({ plan: "free", credits: 0 });
      const page = await console.openAs(organization, "owner", "/billing?credits=1234");
      const command = `sudo bursar credits grant --org ${organization.slug} --pool anytime --amount 1234`;
      await page.getByText(command).waitFor();
      expect(await page.getByRole("button", { name: /Buy|Change to/ }).count()).toBe(0);
      await expectAccessible(page);
    });

    test("an address of the test checkout leads to billing", async () => {
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "owner", `/billing/checkout/${crypto.randomUUID()}`);
      await page.getByRole("heading", { name: "Billing" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/console/billing");
    });
  },
  { BURSAR_TEST_CHECKOUT: "false", BURSAR_COMMAND: "sudo bursar" },
);
