import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";

const PASSWORD = "four words of mine";

async function invite(page: Page, email: string, role = "Member"): Promise<string> {
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("button", { name: "Create the invitation" }).click();
  const link = await textOf(page.locator("dialog pre"));
  await expectAccessible(page);
  await page.getByRole("button", { name: "I have copied it" }).click();
  return new URL(link).pathname.replace("/console", "");
}

describeInBrowser("the members", (console) => {
  test("a guest is invited, joins in a second browser, gets a new role, and is removed", async () => {
    const organization = await console.gateway.found();
    const owner = await console.openAs(organization, "owner", "/members");
    const link = await invite(owner, "guest@example.com");
    await owner.getByRole("row", { name: "guest@example.com" }).waitFor();
    await expectAccessible(owner);

    const guest = await console.open(link, PHONE);
    await guest.getByText("invites guest@example.com as member").waitFor();
    await expectAccessible(guest);
    await guest.getByLabel("Your name").fill("Guest");
    await guest.getByLabel("Choose a password").fill(PASSWORD);
    await guest.getByRole("button", { name: "Create the account and join" }).click();
    await guest.getByRole("button", { name: "Open the menu" }).click();
    await guest.getByRole("navigation", { name: "Pages" }).waitFor();
    expect(await guest.getByRole("navigation").getByText("Members").count()).toBe(0);

    await owner.reload();
    await owner.getByRole("button", { name: "Change the role of Guest" }).click();
    await owner.getByRole("radio", { name: /^Admin/ }).check();
    await expectAccessible(owner);
    await owner.getByRole("button", { name: "Save" }).click();
    await owner.getByText("Guest is now an admin.").waitFor();
    await guest.reload();
    await guest.getByRole("button", { name: "Open the menu" }).click();
    await guest.getByRole("navigation").getByText("Members").waitFor();

    await owner.getByRole("button", { name: "Copy the id of Guest" }).click();
    const copied = await owner.evaluate("navigator.clipboard.readText()");
    const members = await console.gateway.services.identity.members.list(organization.id);
    expect(copied).toBe(members.find(({ name }) => name === "Guest")?.userId);

    await owner.getByRole("button", { name: "Remove Guest" }).click();
    await owner.getByRole("button", { name: "Remove", exact: true }).click();
    await owner.getByText("Guest was removed.").waitFor();
    await guest.reload();
    await guest.getByRole("heading", { name: "No organization" }).waitFor();
    await expectAccessible(guest);
  });

  test("a user with an account accepts an invitation for their address and can switch organizations", async () => {
    const [home, other] = [await console.gateway.found(), await console.gateway.found()];
    await home.addMember("both@example.com", "owner");
    const owner = await console.openAs(other, "owner", "/members");
    const link = await invite(owner, "both@example.com", "Admin");
    const stranger = await console.openAs(home, "admin", link);
    await stranger.getByText("This invitation is for another address.").waitFor();
    await expectAccessible(stranger);
    await stranger.getByRole("link", { name: "Go to the console" }).click();
    const visitor = await console.open(link);
    await visitor.getByRole("button", { name: "I already have an account" }).click();
    await visitor.getByRole("button", { name: "Sign in" }).waitFor();
    await expectAccessible(visitor);
    const person = await console.openFor("both@example.com", link);
    await person.getByRole("button", { name: "Join" }).click();
    const choice = person.getByRole("combobox", { name: "Organization" });
    await choice.waitFor();
    expect(await choice.inputValue()).toBe(other.id);
    await choice.selectOption({ label: home.slug });
    await person.getByRole("link", { name: "Members" }).click();
    await person.getByText("both@example.com").first().waitFor();
    const used = await console.open(link);
    await used.getByText("This invitation no longer works").waitFor();
    await expectAccessible(used);
  });

  test("the link of a cancelled invitation no longer works", async () => {
    const organization = await console.gateway.found();
    const admin = await console.openAs(organization, "admin", "/members");
    const link = await invite(admin, "cancelled@example.com");
    await admin.getByRole("button", { name: "Cancel the invitation of cancelled@example.com" }).click();
    await admin.getByText("The link for cancelled@example.com no longer works.").waitFor();
    const guest = await console.open(link);
    await guest.getByText("This invitation no longer works").waitFor();
  });

  test("an admin cannot change owners, and the last owner cannot leave", async () => {
    const organization = await console.gateway.found();
    const owner = await console.openAs(organization, "owner", "/members");
    const admin = await console.openAs(organization, "admin", "/members");
    const ownerRow = admin.getByRole("row", { name: /^owner-/ });
    await ownerRow.waitFor();
    expect(await ownerRow.getByRole("button", { name: /Remove|Change the role/ }).count()).toBe(0);
    await admin.getByRole("button", { name: "Invite", exact: true }).click();
    expect(await admin.getByLabel("Role").locator("option").allTextContents()).toEqual(["Member", "Admin"]);
    await owner.getByRole("button", { name: "Leave" }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await owner.getByText("An organization needs an owner").waitFor();
    await expectAccessible(owner);
  });

  test("names of users and organizations are shown as text, never as markup, on every page", async () => {
    const organization = await console.gateway.found();
    const { services } = console.gateway;
    const markup = `<img src=x onerror="document.title='taken'">`;
    await services.identity.organizations.update({
      organizationId: organization.id,
      name: `${markup}${"W".repeat(50)}`,
      actor: { kind: "operator" },
    });
    const userId = await organization.addMember("markup@example.com", "owner");
    await services.identity.people.rename({ userId, name: `${markup}${"W".repeat(50)}` });
    const page = await console.openFor("markup@example.com", "/members", PHONE);
    const link = await invite(page, "guest-of-markup@example.com");
    for (const path of ["/members", "/account", link]) {
      await page.goto(`/console${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("<img src=x").first().waitFor({ state: "attached" });
      expect(await page.locator("img[src=x]").count()).toBe(0);
      expect(await page.title()).toEndWith(" · Bursar");
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect([path, width]).toEqual([path, 390]);
      await expectAccessible(page);
    }
  });

  test("a right-to-left name is cut at its end, not at its beginning", async () => {
    const organization = await console.gateway.found();
    const userId = await organization.addMember("rtl@example.com", "owner");
    await console.gateway.services.identity.people.rename({ userId, name: "عبد الرحمن ".repeat(8).trim() });
    const page = await console.openFor("rtl@example.com", "/members");
    for (const name of [page.locator(".who strong").last(), page.locator("th .clip[dir]").first()]) {
      await name.waitFor();
      expect(await name.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
    }
    const [you, cell] = await page
      .getByText("(you)")
      .evaluate((one) => [one, one.closest("th")].map((part) => part?.getBoundingClientRect().right ?? 0));
    expect(you).toBeLessThan(cell ?? 0);
    const isCut = await page
      .locator("th .clip[dir]")
      .first()
      .evaluate((one) => one.scrollWidth > one.clientWidth);
    expect([isCut, await page.locator(".clip[dir]", { hasText: "(you)" }).count()]).toEqual([true, 0]);
  });

  test("a member who leaves their only organization sees that they have none", async () => {
    const organization = await console.gateway.found();
    const member = await console.openAs(organization, "member", "/account", {
      ...PHONE,
      colorScheme: "dark",
    });
    await member.getByText("This device").waitFor();
    await expectAccessible(member);
    await member.getByRole("button", { name: `Leave ${organization.slug}` }).click();
    await member.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await member.getByRole("heading", { name: "No organization" }).waitFor();
  });
});
