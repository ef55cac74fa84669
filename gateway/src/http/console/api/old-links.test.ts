import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert } from "../../../kit/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

const PASSWORD = "four words of mine";

let fixture: ConsoleFixture;
let organizationId: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  organizationId = (await fixture.createOrganization()).id;
});
afterAll(() => fixture.close());

/** A signed-in user for whom a link still exists in an old log or mailbox. */
async function personWithOldLink(purpose: "sign-in" | "set-password") {
  const { email } = await fixture.addMember(organizationId);
  const browser = await fixture.signIn(email);
  return { email, browser, token: await fixture.linkFor(email, purpose) };
}

async function opens(token: string): Promise<boolean> {
  return (await fixture.openBrowser().command("redeem-link", { token })).status === 200;
}

const isSignedIn = async (browser: TestBrowser) => okOf(await browser.query("session")).person !== null;

describe.each(["sign-in", "set-password"] as const)("an old link for %s", (purpose) => {
  test("stops working when a first password is set, or the password is changed", async () => {
    const { email, browser, token } = await personWithOldLink(purpose);
    okOf(await browser.command("change-password", { password: PASSWORD }));
    expect(await opens(token)).toBe(false);
    const next = await fixture.linkFor(email, purpose);
    const change = { current: PASSWORD, password: "new words of mine" };
    okOf(await browser.command("change-password", change));
    expect(await opens(next)).toBe(false);
  });

  test("stops working when its person signs out everywhere; links of others still work", async () => {
    const { browser, token } = await personWithOldLink(purpose);
    const other = await personWithOldLink(purpose);
    okOf(await browser.command("sign-out-everywhere", {}));
    expect([await opens(token), await opens(other.token)]).toEqual([false, true]);
  });
});

test("a newer link invalidates an older one, and its password can still be chosen", async () => {
  const { email } = await fixture.addMember(organizationId);
  const old = await fixture.linkFor(email, "sign-in");
  const browser = fixture.openBrowser();
  okOf(await browser.command("redeem-link", { token: await fixture.linkFor(email, "set-password") }));
  expect(await opens(old)).toBe(false);
  okOf(await browser.command("choose-password", { password: PASSWORD }));
  expect(await isSignedIn(browser)).toBe(true);
});

test("an invitation stays valid after a password change, because it gives no access to the account", async () => {
  const { email, browser } = await personWithOldLink("sign-in");
  const { id } = await fixture.createOrganization("Elsewhere");
  const { userId: inviterId } = await fixture.addMember(id, "owner");
  const offer = { organizationId: id, email, role: "member", inviterId };
  const invited = await fixture.identity.invitations.create(offer);
  assert(invited.outcome === "ok", `invited: ${invited.outcome}`);
  okOf(await browser.command("change-password", { password: PASSWORD }));
  okOf(await browser.command("accept-invitation", { token: invited.token }));
});

test("a link that is redeemed while its person signs out everywhere leaves no session", async () => {
  const entered = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { browser, token } = await personWithOldLink("sign-in");
      const thief = fixture.openBrowser();
      const redeeming = thief.command("redeem-link", { token });
      okOf(await browser.command("sign-out-everywhere", {}));
      await redeeming;
      return isSignedIn(thief);
    }),
  );
  expect(entered).toEqual(Array(8).fill(false));
});
