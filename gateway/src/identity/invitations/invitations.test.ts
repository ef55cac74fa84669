import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { assert, newId } from "../../kit/index.ts";
import { OPERATOR, type OrganizationRecord, type Role } from "../index.ts";
import { createIdentityFixture, type IdentityFixture } from "../testing.ts";

const WEEK_MS = 7 * 24 * 3_600_000;

let fixture: IdentityFixture;
let organization: OrganizationRecord;
let owner: { userId: string; email: string };
let admin: { userId: string; email: string };
let addresses = 0;

beforeAll(async () => {
  fixture = await createIdentityFixture();
});
beforeEach(async () => {
  organization = await fixture.createOrganization();
  owner = await fixture.addMember(organization.id, "owner");
  admin = await fixture.addMember(organization.id, "admin");
});
afterAll(() => fixture.close());

const newAddress = () => `newcomer-${++addresses}@example.com`;
const newcomer = { kind: "newcomer", name: "New Comer" } as const;

async function invite(email: string, role: Role = "member", inviterId = owner.userId): Promise<string> {
  const invited = await fixture.identity.invitations.create({
    organizationId: organization.id,
    email,
    role,
    inviterId,
  });
  assert(invited.outcome === "ok", invited.outcome);
  return invited.token;
}

async function rolesOf(organizationId: string): Promise<Record<string, Role>> {
  const members = await fixture.identity.members.list(organizationId);
  return Object.fromEntries(members.map(({ email, role }) => [email, role]));
}

describe("an invitation", () => {
  test("admits a newcomer once, with the offered role, however many accept it concurrently", async () => {
    const email = newAddress();
    const token = await invite(email, "admin");
    const accept = () => fixture.identity.invitations.accept({ token, as: newcomer });
    const outcomes = (await Promise.all(Array.from({ length: 10 }, accept))).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(["ok", "dead"]));
    expect((await rolesOf(organization.id))[email]).toBe("admin");
    expect(await fixture.identity.invitations.find(token)).toBeNull();
    expect(await fixture.identity.invitations.list(organization.id)).toEqual([]);
  });

  test("can be accepted only by its own address; others are refused, and it stays open", async () => {
    const stranger = await fixture.addMember((await fixture.createOrganization("Other")).id);
    const { userId, email } = await fixture.addMember((await fixture.createOrganization("Third")).id);
    const token = await invite(email.toUpperCase());
    const acceptAs = (id: string) =>
      fixture.identity.invitations.accept({ token, as: { kind: "person", userId: id } });
    expect(await acceptAs(stranger.userId)).toEqual({ outcome: "not_yours" });
    expect(await acceptAs(newId())).toEqual({ outcome: "not_yours" });
    expect(await fixture.identity.invitations.accept({ token, as: newcomer })).toEqual({
      outcome: "has_account",
    });
    expect(await acceptAs(userId)).toEqual({ outcome: "ok", userId, organizationId: organization.id });
    expect(await acceptAs(userId)).toEqual({ outcome: "dead" });
  });

  test("lasts seven days", async () => {
    const [early, late] = [await invite(newAddress()), await invite(newAddress())];
    await fixture.advanceClock(WEEK_MS - 5_000);
    expect((await fixture.identity.invitations.accept({ token: early, as: newcomer })).outcome).toBe("ok");
    await fixture.advanceClock(5_000);
    expect(await fixture.identity.invitations.find(late)).toBeNull();
    expect(await fixture.identity.invitations.accept({ token: late, as: newcomer })).toEqual({
      outcome: "dead",
    });
  });

  test("is voided by a newer one to the same address and by being cancelled", async () => {
    const email = newAddress();
    const [older, newer] = [await invite(email), await invite(email)];
    expect(await fixture.identity.invitations.find(older)).toBeNull();
    const [listed] = await fixture.identity.invitations.list(organization.id);
    expect(listed).toMatchObject({ email, role: "member", inviterName: owner.email.split("@")[0] });
    const actor = { kind: "person", userId: admin.userId } as const;
    const cancel = () =>
      fixture.identity.invitations.cancel({
        organizationId: organization.id,
        invitationId: listed?.id ?? "",
        actor,
      });
    expect(await cancel()).toMatchObject({ outcome: "ok" });
    expect(await cancel()).toEqual({ outcome: "not_found" });
    expect(await fixture.identity.invitations.accept({ token: newer, as: newcomer })).toEqual({
      outcome: "dead",
    });
  });

  test("is deleted once its address is a member, but not those of other organizations", async () => {
    const email = newAddress();
    const token = await invite(email, "admin");
    const elsewhere = await fixture.createOrganization("Elsewhere");
    const inviterId = (await fixture.addMember(elsewhere.id, "owner")).userId;
    const { create, find } = fixture.identity.invitations;
    const others = await create({ organizationId: elsewhere.id, email, role: "member", inviterId });
    const seat = { organizationId: organization.id, email, role: "member" };
    await fixture.identity.members.add({ ...seat, actor: OPERATOR });
    expect(await find(token)).toBeNull();
    expect(others.outcome === "ok" && (await find(others.token))?.email).toBe(email);
  });

  test("that was open beside a membership is deleted with it", async () => {
    const [token, another] = [await invite(newAddress(), "admin"), await invite(newAddress())];
    const { userId, email } = await fixture.addMember(organization.id);
    // As earlier versions have left it behind.
    const { id } = (await fixture.identity.invitations.find(token)) ?? {};
    await fixture.db.pool.query("update invitation set email = $2 where id = $1", [id, email]);
    const actor = { kind: "person", userId: owner.userId } as const;
    await fixture.identity.members.remove({ organizationId: organization.id, userId, actor });
    expect(await fixture.identity.invitations.find(token)).toBeNull();
    expect(await fixture.identity.invitations.find(another)).not.toBeNull();
  });

  test.each([
    ["owner", "owner", "ok"],
    ["owner", "admin", "ok"],
    ["admin", "admin", "ok"],
    ["admin", "member", "ok"],
    ["admin", "owner", "forbidden"],
    ["member", "member", "forbidden"],
  ] as const)("by an %s for an %s is %s", async (own, offered, outcome) => {
    const { userId } = await fixture.addMember(organization.id, own);
    const invited = await fixture.identity.invitations.create({
      organizationId: organization.id,
      email: newAddress(),
      role: offered,
      inviterId: userId,
    });
    expect(invited.outcome).toBe(outcome);
  });

  test("for an owner can be neither lowered nor cancelled by an admin", async () => {
    const email = newAddress();
    await invite(email, "owner");
    const [listed] = await fixture.identity.invitations.list(organization.id);
    const place = { organizationId: organization.id, invitationId: listed?.id ?? "" };
    const actor = { kind: "person", userId: admin.userId } as const;
    expect(await fixture.identity.invitations.cancel({ ...place, actor })).toEqual({ outcome: "forbidden" });
    const smaller = { organizationId: organization.id, email, role: "member", inviterId: admin.userId };
    expect(await fixture.identity.invitations.create(smaller)).toEqual({ outcome: "forbidden" });
  });

  test("is void once its inviter loses the right to offer it, and stays void when the right returns", async () => {
    const [byRemoved, byLowered] = [
      await invite(newAddress(), "member", admin.userId),
      await invite(newAddress(), "owner"),
    ];
    const kept = newAddress();
    const stillOffered = await invite(kept, "admin");
    const reference = { organizationId: organization.id, actor: OPERATOR };
    await fixture.addMember(organization.id, "owner");
    const expectDead = async () => {
      for (const token of [byRemoved, byLowered]) {
        expect(await fixture.identity.invitations.find(token)).toBeNull();
        expect(await fixture.identity.invitations.accept({ token, as: newcomer })).toEqual({
          outcome: "dead",
        });
      }
      const listed = await fixture.identity.invitations.list(organization.id);
      expect(listed.map(({ email }) => email)).toEqual([kept]);
    };
    await fixture.identity.members.remove({ ...reference, userId: admin.userId });
    await fixture.identity.members.setRole({ ...reference, userId: owner.userId, role: "admin" });
    await expectDead();
    await fixture.identity.members.setRole({ ...reference, userId: owner.userId, role: "owner" });
    await fixture.identity.members.add({ ...reference, email: admin.email, role: "admin" });
    await expectDead();
    expect(await fixture.identity.invitations.find(stillOffered)).not.toBeNull();
  });

  test("survives changes in other organizations and changes that were refused", async () => {
    const token = await invite(newAddress(), "owner");
    const other = await fixture.createOrganization("Other");
    await fixture.identity.members.add({
      organizationId: other.id,
      actor: OPERATOR,
      email: owner.email,
      role: "member",
    });
    await fixture.identity.members.remove({
      organizationId: other.id,
      actor: OPERATOR,
      userId: owner.userId,
    });
    const reference = { organizationId: organization.id, actor: OPERATOR, userId: owner.userId };
    expect(await fixture.identity.members.remove(reference)).toEqual({ outcome: "last_owner" });
    expect((await fixture.identity.invitations.accept({ token, as: newcomer })).outcome).toBe("ok");
  });

  test("of a foreign organization cannot be cancelled and is answered like one that does not exist", async () => {
    const foreign = await fixture.createOrganization("Foreign");
    const { userId } = await fixture.addMember(foreign.id, "owner");
    await invite(newAddress());
    const [listed] = await fixture.identity.invitations.list(organization.id);
    const actor = { kind: "person", userId } as const;
    for (const organizationId of [organization.id, foreign.id]) {
      for (const invitationId of [listed?.id ?? "", newId(), "nonsense"]) {
        const cancelled = await fixture.identity.invitations.cancel({ organizationId, invitationId, actor });
        expect(cancelled).toEqual({ outcome: "not_found" });
      }
    }
    expect(await fixture.identity.invitations.list(organization.id)).toHaveLength(1);
  });

  test("gets the same response for an address with an account and one without", async () => {
    const known = await fixture.addMember((await fixture.createOrganization("Elsewhere")).id);
    const answers = [];
    for (const email of [known.email, newAddress()]) {
      const { outcome, ...rest } = await fixture.identity.invitations.create({
        organizationId: organization.id,
        email,
        role: "member",
        inviterId: admin.userId,
      });
      answers.push([outcome, Object.keys(rest)]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(
      await fixture.identity.invitations.create({
        organizationId: organization.id,
        email: owner.email,
        role: "member",
        inviterId: admin.userId,
      }),
    ).toEqual({ outcome: "already_member" });
  });

  test("is stored as a hash; neither the table nor the list has anything that can be accepted", async () => {
    const token = await invite(newAddress());
    const { rows } = await fixture.db.pool.query("select i::text as line from invitation i");
    expect(JSON.stringify(rows)).not.toContain(token);
    const [listed] = await fixture.identity.invitations.list(organization.id);
    for (const guess of [listed?.id ?? "", "", "a".repeat(43), "\0".repeat(43), "a".repeat(1_000_000)]) {
      expect(await fixture.identity.invitations.find(guess)).toBeNull();
      expect(await fixture.identity.invitations.accept({ token: guess, as: newcomer })).toEqual({
        outcome: "dead",
      });
    }
  });

  test("is refused when 200 are open", async () => {
    const { pool } = fixture.db;
    await pool.query(
      `insert into invitation ("organizationId", email, role, "inviterId", "expiresAt")
       select $1, 'many-' || n || '@example.com', 'member', $2, bursar_now() + interval '1 day'
       from generate_series(1, 200) n`,
      [organization.id, owner.userId],
    );
    const input = { organizationId: organization.id, role: "member", inviterId: owner.userId };
    const more = await fixture.identity.invitations.create({ ...input, email: newAddress() });
    expect(more).toEqual({ outcome: "too_many_invitations" });
  });

  test.each([
    ["name", { name: " \n" }],
    ["name", { name: "x".repeat(101) }],
  ])("refuses a newcomer with an invalid %s and stays open", async (field, { name }) => {
    const token = await invite(newAddress());
    const refused = await fixture.identity.invitations.accept({ token, as: { kind: "newcomer", name } });
    expect(refused).toMatchObject({ outcome: "invalid", field });
    expect(await fixture.identity.invitations.find(token)).not.toBeNull();
  });
});
