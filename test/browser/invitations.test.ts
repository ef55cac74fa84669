import { expect, test } from "bun:test";
import { assert } from "../../gateway/src/kit/index.ts";
import { expectAccessible } from "./accessibility.ts";
import { comeBackUntil, describeInBrowser, signIn } from "./browser.ts";

/** Nothing listens there; no email is sent. */
const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Bursar <bursar@example.com>" };

describeInBrowser("the invitations", (console) => {
  test("many invitations are counted, searchable, and shown a few at a time", async () => {
    const organization = await console.gateway.found();
    const inviterId = await organization.addMember("inviting@example.com", "owner");
    const { invitations } = console.gateway.services.identity;
    for (let made = 0; made < 13; made++) {
      const email = `invited-${made}@example.com`;
      await invitations.create({ organizationId: organization.id, email, role: "member", inviterId });
    }
    const page = await console.openFor("inviting@example.com", "/members");
    await page.getByRole("heading", { name: "13 open invitations" }).waitFor();
    const rows = page.getByRole("row", { name: /^invited-/ });
    expect(await rows.count()).toBe(12);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Show more" }).click();
    expect(await rows.count()).toBe(13);
    await page.getByLabel("Search by email").fill("invited-7@");
    expect(await rows.count()).toBe(1);
    await page.getByRole("button", { name: "Cancel the invitation of invited-7@example.com" }).click();
    await page.getByRole("heading", { name: "12 open invitations" }).waitFor();
  });

  test("an error about one address disappears when another one is typed", async () => {
    console.forgive(/status of 400/);
    const page = await console.openAs(await console.gateway.found(), "owner", "/members");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByLabel("Email").fill("owner-1@example.com");
    await page.getByRole("button", { name: "Create the invitation" }).click();
    const problem = page.getByText("They are already a member.");
    await problem.waitFor();
    await page.getByLabel("Email").fill("another@example.com");
    expect(await problem.count()).toBe(0);
  });
});

describeInBrowser(
  "an invitation with email configured",
  (console) => {
    test("offers an emailed sign-in link to a user without a password, and can be accepted afterwards", async () => {
      const [organization, elsewhere] = [await console.gateway.found(), await console.gateway.found()];
      const inviterId = await organization.addMember("inviting@example.com", "owner");
      await elsewhere.addMember("known@example.com", "member");
      const { invitations } = console.gateway.services.identity;
      const place = { organizationId: organization.id, email: "known@example.com", role: "member" };
      const invited = await invitations.create({ ...place, inviterId, isMailed: true });
      assert(invited.outcome === "ok", "an invitation");
      const page = await console.open(`/invitation/${invited.token}`);
      await page.getByRole("button", { name: "I already have an account" }).click();
      const [aside] = await Promise.all([
        page.context().waitForEvent("page"),
        page.getByRole("link", { name: "Get a link by email" }).click(),
      ]);
      await aside.getByRole("button", { name: "Send the link" }).waitFor();
      await expectAccessible(page);
      await signIn(page.context(), console.gateway, "known@example.com");
      await comeBackUntil(page, async () => (await page.getByRole("button", { name: "Join" }).count()) > 0);
    });
  },
  MAIL,
);
