import { afterAll, beforeAll, expect, test } from "bun:test";
import { OPERATOR } from "../../identity/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "./testing.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

test("somebody with more organizations than are listed still has the current one in the list", async () => {
  const last = await fixture.createOrganization("Zenith");
  const { email } = await fixture.addMember(last.id, "owner");
  for (let made = 0; made < 50; made++) {
    const { id } = await fixture.createOrganization(`Acme ${made}`);
    await fixture.identity.members.add({ organizationId: id, email, role: "member", actor: OPERATOR });
  }
  const browser = await fixture.signIn(email);
  const { organization, organizations } = okOf(await browser.query("session"));
  expect(organization?.id).toBe(last.id);
  expect(organizations).toHaveLength(50);
  expect(organizations.at(-1)).toEqual({ id: last.id, name: "Zenith", role: "owner" });
});

/** A member of two organizations, the older one first. */
async function ofTwo() {
  const [older, newer] = [
    await fixture.createOrganization("Older"),
    await fixture.createOrganization("Newer"),
  ];
  const { email } = await fixture.addMember(older.id, "owner");
  await fixture.identity.members.add({ organizationId: newer.id, email, role: "owner", actor: OPERATOR });
  const seenBy = async (browser: TestBrowser) => okOf(await browser.query("session")).organization?.id;
  const setActive = (organizationId: string, active: boolean) =>
    fixture.identity.organizations.update({ organizationId, active, actor: OPERATOR });
  return { older, newer, email, seenBy, setActive };
}

test("after signing in, the organization that was chosen last is shown, on any device", async () => {
  const { older, newer, email, seenBy } = await ofTwo();
  const desk = await fixture.signIn(email);
  expect(await seenBy(desk)).toBe(older.id);
  okOf(await desk.command("choose-organization", { id: newer.id }));
  expect(await seenBy(await fixture.signIn(email))).toBe(newer.id);
  okOf(await desk.command("change-password", { password: "four words of mine" }));
  const phone = fixture.openBrowser();
  okOf(await phone.command("sign-in", { email, password: "four words of mine" }));
  expect(await seenBy(phone)).toBe(newer.id);
});

test("at the first sign-in, the oldest active organization is shown, or else the oldest", async () => {
  const { older, newer, email, seenBy, setActive } = await ofTwo();
  await setActive(older.id, false);
  const browser = await fixture.signIn(email);
  expect(await seenBy(browser)).toBe(newer.id);
  okOf(await browser.command("sign-out", {}));
  await setActive(newer.id, false);
  expect(await seenBy(await fixture.signIn(email))).toBe(older.id);
});

test("an organization that is deactivated stays the current one of those who see it", async () => {
  const { older, email, seenBy, setActive } = await ofTwo();
  const browser = await fixture.signIn(email);
  expect(await seenBy(browser)).toBe(older.id);
  await setActive(older.id, false);
  expect(await seenBy(browser)).toBe(older.id);
});

test.each(["a first look", "a look after the chosen one was left"])(
  "a slow query does not undo a choice that was made meanwhile: %s",
  async (look) => {
    const { older, newer, email, seenBy } = await ofTwo();
    const browser = await fixture.signIn(email);
    if (look !== "a first look") {
      const left = await fixture.createOrganization("Left");
      await fixture.identity.members.add({ organizationId: left.id, email, role: "member", actor: OPERATOR });
      okOf(await browser.command("choose-organization", { id: left.id }));
      const userId = okOf(await browser.query("session")).person?.id ?? "";
      await fixture.identity.members.remove({ organizationId: left.id, userId, actor: OPERATOR });
    }
    const { slow, hasBegun, goOn } = slowly(browser);
    const looking = seenBy(slow);
    await hasBegun;
    okOf(await browser.command("choose-organization", { id: newer.id }));
    goOn();
    expect(await looking).toBe(older.id);
    expect(await seenBy(browser)).toBe(newer.id);
  },
);

/** The same session, served by a process that is slow to find its user's organizations. */
function slowly(browser: TestBrowser) {
  const { members } = fixture.identity;
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const membershipsOf: typeof members.membershipsOf = async (userId) => {
    const found = await members.membershipsOf(userId);
    begun.resolve();
    await gate.promise;
    return found;
  };
  const identity = { ...fixture.identity, members: { ...members, membershipsOf } };
  const slow = fixture.openBrowser({ console: fixture.openConsole({ identity }) });
  for (const [name, value] of browser.cookies) slow.cookies.set(name, value);
  return { slow, hasBegun: begun.promise, goOn: gate.resolve };
}
