import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { assert, newId } from "../../kit/index.ts";
import { OPERATOR, type OrganizationRecord } from "../index.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

let fixture: IdentityFixture;
let organization: OrganizationRecord;

beforeAll(async () => {
  fixture = await createIdentityFixture();
  organization = await fixture.createOrganization();
});

afterAll(() => fixture.close());

const person = (userId: string) => ({ kind: "person", userId }) as const;

describe("adding a member", () => {
  const add = (wrong: object) =>
    fixture.identity.members.add({
      organizationId: organization.id,
      email: "somebody@example.com",
      role: "member",
      actor: OPERATOR,
      ...wrong,
    });

  test("creates the account, named after the address, with a link to set a password", async () => {
    const added = await add({ email: " Ada.Lovelace@Example.COM " });
    assert(added.outcome === "ok", added.outcome);
    expect(added.member).toMatchObject({
      email: "ada.lovelace@example.com",
      name: "ada.lovelace",
      role: "member",
    });
    expect(added.link).toMatchObject({ purpose: "set-password", userId: added.member.userId });
    expect(await fixture.identity.members.isMember(organization.id, added.member.userId)).toBe(true);
  });

  test("a second time is refused as already_member", async () => {
    expect((await add({ email: "twice@example.com" })).outcome).toBe("ok");
    expect(await add({ email: "TWICE@example.com", role: "owner" })).toEqual({ outcome: "already_member" });
  });

  test("concurrently to two organizations creates one account", async () => {
    const other = await fixture.createOrganization("Other");
    const email = "both@example.com";
    const [one, two] = await Promise.all([add({ email }), add({ email, organizationId: other.id })]);
    assert(one.outcome === "ok" && two.outcome === "ok", "both are added");
    expect(one.member.userId).toBe(two.member.userId);
    expect(await fixture.identity.members.membershipsOf(one.member.userId)).toHaveLength(2);
  });

  test("with an account gives a link only to the operator, so that the account cannot be taken over", async () => {
    const other = await fixture.createOrganization("Taker");
    const victim = async () => ({
      organizationId: other.id,
      email: (await fixture.addMember(organization.id, "owner")).email,
    });
    for (const role of ["owner", "admin"]) {
      const actor = person((await fixture.addMember(other.id, role)).userId);
      expect(await add({ ...(await victim()), actor })).toMatchObject({ outcome: "ok", link: null });
    }
    expect(await add(await victim())).toMatchObject({ outcome: "ok", link: { purpose: "set-password" } });
  });

  test.each([
    ["role", "that is unknown", { role: "superuser" }],
    ["role", "that is two", { role: "owner,admin" }],
    ["email", "without a host", { email: "nobody" }],
    ["email", "with a NUL", { email: "a@b\0.example" }],
    ["email", "of a megabyte", { email: `${"x".repeat(1_000_000)}@example.com` }],
    ["name", "of two lines", { name: "a\nb" }],
  ])("refuses an invalid %s %s", async (field, _, wrong) => {
    expect(await add(wrong)).toMatchObject({ outcome: "invalid", field });
  });

  test("is allowed for owners and admins; only owners add owners; for strangers it is not_found", async () => {
    const team = await fixture.createOrganization("Team");
    const actors = {
      owner: (await fixture.addMember(team.id, "owner")).userId,
      admin: (await fixture.addMember(team.id, "admin")).userId,
      member: (await fixture.addMember(team.id, "member")).userId,
      stranger: newId(),
    };
    const expected = {
      owner: { owner: "ok", admin: "ok", member: "ok" },
      admin: { owner: "forbidden", admin: "ok", member: "ok" },
      member: { owner: "forbidden", admin: "forbidden", member: "forbidden" },
      stranger: { owner: "not_found", admin: "not_found", member: "not_found" },
    };
    for (const [who, outcomes] of Object.entries(expected)) {
      for (const [role, outcome] of Object.entries(outcomes)) {
        const actor = person(actors[who as keyof typeof actors]);
        const result = await add({
          organizationId: team.id,
          email: `${who}-${role}@example.com`,
          role,
          actor,
        });
        expect([who, role, result.outcome]).toEqual([who, role, outcome]);
      }
    }
  });
});

describe("roles", () => {
  test("can be raised and lowered, but nobody can raise their own", async () => {
    const team = await fixture.createOrganization("Roles");
    const owner = await fixture.addMember(team.id, "owner");
    const admin = await fixture.addMember(team.id, "admin");
    const member = await fixture.addMember(team.id);
    const setRole = (actor: { userId: string }, target: { userId: string }, role: string) =>
      fixture.identity.members.setRole({
        organizationId: team.id,
        userId: target.userId,
        role,
        actor: person(actor.userId),
      });
    expect(await setRole(member, member, "admin")).toEqual({ outcome: "forbidden" });
    expect(await setRole(admin, admin, "owner")).toEqual({ outcome: "forbidden" });
    expect(await setRole(admin, owner, "member")).toEqual({ outcome: "forbidden" });
    expect(await setRole(admin, member, "admin")).toMatchObject({ outcome: "ok", member: { role: "admin" } });
    expect(await setRole(owner, owner, "admin")).toEqual({ outcome: "last_owner" });
    expect(await setRole(owner, member, "owner")).toMatchObject({ outcome: "ok" });
    expect(await setRole(owner, owner, "member")).toMatchObject({ outcome: "ok" });
    expect(await setRole(owner, owner, "king")).toMatchObject({ outcome: "invalid", field: "role" });
    const roles = new Map(
      (await fixture.identity.members.list(team.id)).map((one) => [one.userId, one.role]),
    );
    expect(roles.get(owner.userId)).toBe("member");
    expect(roles.get(member.userId)).toBe("owner");
  });
});

describe("removing", () => {
  test("depends on the roles; members may leave; the last owner cannot be removed", async () => {
    const team = await fixture.createOrganization("Leavers");
    const owner = await fixture.addMember(team.id, "owner");
    const admin = await fixture.addMember(team.id, "admin");
    const member = await fixture.addMember(team.id);
    const other = await fixture.addMember(team.id);
    const remove = (actor: { userId: string }, target: { userId: string }) =>
      fixture.identity.members.remove({
        organizationId: team.id,
        userId: target.userId,
        actor: person(actor.userId),
      });
    expect(await remove(member, other)).toEqual({ outcome: "forbidden" });
    expect(await remove(admin, owner)).toEqual({ outcome: "forbidden" });
    expect(await remove(owner, owner)).toEqual({ outcome: "last_owner" });
    expect(await remove(member, member)).toMatchObject({ outcome: "ok" });
    expect(await remove(admin, other)).toMatchObject({ outcome: "ok" });
    expect(await remove(owner, { userId: newId() })).toEqual({ outcome: "not_found" });
    expect(await remove(owner, { userId: "no-uuid" })).toEqual({ outcome: "not_found" });
    const operator = { organizationId: team.id, userId: owner.userId, actor: OPERATOR };
    expect(await fixture.identity.members.remove(operator)).toEqual({ outcome: "last_owner" });
  });

  test("two owners who leave concurrently leave one behind", async () => {
    for (let round = 0; round < 5; round++) {
      const team = await fixture.createOrganization("Race");
      const owners = [await fixture.addMember(team.id, "owner"), await fixture.addMember(team.id, "owner")];
      const outcomes = await Promise.all(
        owners.map(({ userId }) =>
          fixture.identity.members.remove({ organizationId: team.id, userId, actor: person(userId) }),
        ),
      );
      expect(outcomes.map((one) => one.outcome).sort()).toEqual(["last_owner", "ok"]);
    }
  });

  test("the database itself keeps the last owner, even from concurrent deletes by hand", async () => {
    const team = await fixture.createOrganization("By hand");
    const owners = [await fixture.addMember(team.id, "owner"), await fixture.addMember(team.id, "owner")];
    const results = await Promise.allSettled(
      owners.map(({ userId }) =>
        fixture.db.pool.query(`delete from member where "organizationId" = $1 and "userId" = $2`, [
          team.id,
          userId,
        ]),
      ),
    );
    expect(results.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    const all = fixture.db.pool.query(`delete from member where "organizationId" = $1`, [team.id]);
    await expect(all).rejects.toThrow("last owner");
  });
});

describe("membership", () => {
  test("counts only in its own organization and only by the user's id", async () => {
    const other = await fixture.createOrganization("Foreign");
    const { userId } = await fixture.addMember(other.id);
    const { rows } = await fixture.db.pool.query(`select id from member where "userId" = $1`, [userId]);
    const { isMember } = fixture.identity.members;
    expect(await isMember(other.id, userId)).toBe(true);
    expect(await isMember(other.id, userId.toUpperCase())).toBe(true);
    expect(await isMember(organization.id, userId)).toBe(false);
    expect(await isMember(other.id, String(rows[0]?.id))).toBe(false);
    for (const text of ["", "no-uuid", "\0", "x".repeat(1_000_000), `${userId} `]) {
      expect(isMember(other.id, text)).toBe(false);
    }
  });
});
