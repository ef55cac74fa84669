import { afterAll, beforeAll, expect, test } from "bun:test";
import { OPERATOR } from "../../identity/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf } from "./testing.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

test("who belongs to more organizations than can be listed finds the one they look at among them", async () => {
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
