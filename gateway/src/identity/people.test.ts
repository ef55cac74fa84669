import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert, newId } from "../kit/index.ts";
import { createIdentityFixture, type IdentityFixture } from "./testing.ts";

const WANTED = {
  email: "Ana@Example.com ",
  name: " Ana ",
  organization: "Ana & Co",
  plan: "free",
  keptSlugs: new Set<string>(),
};

let fixture: IdentityFixture;

beforeAll(async () => {
  fixture = await createIdentityFixture();
});
afterAll(() => fixture.close());

describe("a sign-up", () => {
  test("creates a person and their own organization once, however many come concurrently", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => fixture.identity.people.signUp(WANTED)));
    const [first, ...others] = made.filter(({ outcome }) => outcome === "ok");
    assert(first?.outcome === "ok", "one account");
    expect(others).toEqual([]);
    expect(made.filter(({ outcome }) => outcome === "has_account")).toHaveLength(7);
    expect(first.organization).toMatchObject({ name: "Ana & Co", plan: "free", slug: "ana-co" });
    const members = await fixture.identity.members.list(first.organization.id);
    expect(members).toMatchObject([{ email: "ana@example.com", name: "Ana", role: "owner" }]);
    expect(await fixture.identity.organizations.list()).toHaveLength(1);
    expect(await fixture.identity.people.hasAccount("ANA@example.com")).toBe(true);
  });

  test.each([
    ["email", { email: "nonsense" }],
    ["name", { name: "a\nb" }],
    ["organization", { organization: "" }],
  ])("with an invalid %s creates nothing", async (field, wrong) => {
    const wanted = { ...WANTED, email: "other@example.com", ...wrong };
    expect(fixture.identity.people.checkSignUp(wanted)).toMatchObject({ outcome: "invalid", field });
    expect(await fixture.identity.people.signUp(wanted)).toMatchObject({ outcome: "invalid", field });
    expect(await fixture.identity.people.hasAccount("other@example.com")).toBe(false);
  });
});

describe("a person", () => {
  test("can be renamed and is found by id under the new name", async () => {
    const { userId } = await fixture.addMember((await fixture.createOrganization()).id);
    expect(await fixture.identity.people.rename({ userId, name: " Bo " })).toEqual({ outcome: "ok" });
    expect(await fixture.identity.people.namesOf([userId, newId()])).toEqual(new Map([[userId, "Bo"]]));
    expect(await fixture.identity.people.rename({ userId, name: "" })).toMatchObject({ field: "name" });
    for (const unknown of [newId(), "nonsense"]) {
      expect(await fixture.identity.people.rename({ userId: unknown, name: "Bo" })).toEqual({
        outcome: "not_found",
      });
    }
  });
});

test("a role that has changed is not changed by somebody who saw the old one", async () => {
  const { id: organizationId } = await fixture.createOrganization();
  const first = await fixture.addMember(organizationId, "admin");
  const second = await fixture.addMember(organizationId, "admin");
  const { userId } = await fixture.addMember(organizationId, "member");
  const change = (actorId: string, role: string) =>
    fixture.identity.members.setRole({
      organizationId,
      userId,
      role,
      seenRole: "member",
      actor: { kind: "person", userId: actorId },
    });
  const outcomes = await Promise.all([change(first.userId, "admin"), change(second.userId, "admin")]);
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["conflict", "ok"]);
});
