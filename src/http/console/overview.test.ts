import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OPERATOR, type OrganizationRecord } from "../../identity/index.ts";
import { credits } from "../../kit/index.ts";
import { createLedger } from "../../ledger/index.ts";
import { type ConsoleFixture, createConsoleFixture, TEST_ORIGIN } from "./testing.ts";

let fixture: ConsoleFixture;
let organization: OrganizationRecord;
let owner: { userId: string; email: string };

beforeAll(async () => {
  fixture = await createConsoleFixture();
  organization = await fixture.createOrganization("Acme");
  owner = await fixture.addMember(organization.id, "owner");
  const grant = { orgId: organization.id, kind: "manual", description: "", reference: null } as const;
  const ledger = createLedger(fixture.db);
  await ledger.grant({ ...grant, pool: "anytime", amount: credits(1234), expiresAt: null });
  const expiresAt = new Date("2099-12-31T12:00:00Z");
  await ledger.grant({ ...grant, pool: "subscription", amount: credits(777), expiresAt });
});

afterAll(() => fixture.close());

describe("the overview", () => {
  test("shows an owner the purse with its expiry, the keys without their secrets, and where to begin", async () => {
    const minted = await fixture.mintKey(organization.id);
    const { text } = await (await fixture.signIn(owner.email)).get("/console");
    for (const part of [
      "You are an owner",
      "2,011",
      "1,234",
      "777",
      "31 Dec 2099",
      "Tokens saved",
      `…${minted.key.lastFour}`,
      `${TEST_ORIGIN}/functions/v1`,
      `bin/bursar key create --org ${organization.slug}`,
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(minted.secret);
  });

  test("says which keys no longer work", async () => {
    const { key } = await fixture.mintKey(organization.id);
    await fixture.identity.keys.revoke({ organizationId: organization.id, keyId: key.id, actor: OPERATOR });
    const { text } = await (await fixture.signIn(owner.email)).get("/console");
    expect(text).toMatch(new RegExp(`…${key.lastFour}[\\s\\S]*?revoked`));
  });

  test("shows a member the purse and their own spend, but neither keys nor the spend of others", async () => {
    const minted = await fixture.mintKey(organization.id);
    const member = await fixture.addMember(organization.id, "member");
    const { text } = await (await fixture.signIn(member.email)).get("/console");
    expect(text).toContain("2,011");
    expect(text).toContain("Your spend");
    expect(text).not.toContain(`…${minted.key.lastFour}`);
    expect(text).not.toContain("API keys");
    expect(text).not.toContain("Tokens saved");
  });

  test("says when the organization is inactive", async () => {
    const idle = await fixture.createOrganization("Idle");
    const { email } = await fixture.addMember(idle.id, "owner");
    await fixture.identity.organizations.update({ organizationId: idle.id, active: false, actor: OPERATOR });
    expect((await (await fixture.signIn(email)).get("/console")).text).toContain(
      "This organization is inactive",
    );
  });
});

describe("belonging", () => {
  test("ends at once for who was removed, in a session that goes on", async () => {
    const member = await fixture.addMember(organization.id, "admin");
    const browser = await fixture.signIn(member.email);
    expect((await browser.get("/console")).text).toContain("<h1>Acme</h1>");
    const removed = { organizationId: organization.id, userId: member.userId, actor: OPERATOR };
    expect((await fixture.identity.members.remove(removed)).outcome).toBe("ok");
    for (const path of ["/console", "/console/billing"]) {
      const { text } = await browser.get(path);
      expect(text).toContain("You belong to no organization");
      expect(text).not.toContain("Acme");
    }
  });

  test("to several organizations lets a person switch, and only between those", async () => {
    const [second, foreign] = [
      await fixture.createOrganization("Second"),
      await fixture.createOrganization("Foreign"),
    ];
    const joining = { organizationId: second.id, email: owner.email, role: "member", actor: OPERATOR };
    expect((await fixture.identity.members.add(joining)).outcome).toBe("ok");
    const browser = await fixture.signIn(owner.email);
    await browser.get("/console");
    expect((await browser.submit("/console/organization", { organization: second.id })).location).toBe(
      "/console",
    );
    const switched = (await browser.get("/console")).text;
    expect(switched).toContain("<h1>Second</h1>");
    expect(switched).toContain("You are a member");
    expect(switched).not.toContain("Foreign");
    const answers = [];
    for (const wanted of [foreign.id, "0190a0a0-0000-7000-8000-000000000000", "x", "' or true --"]) {
      const { status, text } = await browser.submit("/console/organization", { organization: wanted });
      answers.push({ status, text });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    expect((await browser.get("/console")).text).toContain("<h1>Second</h1>");
  });
});

describe("the billing page", () => {
  test("says what is missing and whom to ask, and that credits are granted by the operator", async () => {
    const member = await fixture.addMember(organization.id, "member");
    const { text } = await (await fixture.signIn(member.email)).get("/console/billing?credits=2500");
    expect(text).toContain("2,500 credits");
    expect(text).toContain(owner.email);
    expect(text).toContain(
      `bin/bursar credits grant --org ${organization.slug} --pool anytime --amount 2500`,
    );
    const list = /<ul class="people">[\s\S]*?<\/ul>/.exec(text)?.[0];
    expect(list).not.toContain(member.email);
  });

  test("leaves out an amount that is none", async () => {
    const browser = await fixture.signIn(owner.email);
    for (const wanted of ["0", "-1", "1.5", "x", "1".repeat(30), "%3Cb%3E"]) {
      expect((await browser.get(`/console/billing?credits=${wanted}`)).text).not.toContain("still needs");
    }
  });
});
