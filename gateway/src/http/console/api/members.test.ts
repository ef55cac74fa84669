import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../../identity/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});
afterAll(() => fixture.close());

type Somebody = { readonly userId: string; readonly email: string; readonly browser: TestBrowser };

async function somebody(organizationId: string, role: Role): Promise<Somebody> {
  const { userId, email } = await fixture.addMember(organizationId, role);
  return { userId, email, browser: await fixture.signIn(email) };
}

async function withPeople() {
  const { id } = await fixture.createOrganization();
  const [owner, admin, member] = [
    await somebody(id, "owner"),
    await somebody(id, "admin"),
    await somebody(id, "member"),
  ];
  return { id, owner, admin, member };
}

async function roleOf(organizationId: string, userId: string): Promise<Role | undefined> {
  const members = await fixture.identity.members.list(organizationId);
  return members.find((one) => one.userId === userId)?.role;
}

describe("the members", () => {
  test("are listed for owners and admins only, with their user ids", async () => {
    const { owner, admin, member } = await withPeople();
    for (const { browser } of [owner, admin]) {
      const { members, invitations } = okOf(await browser.query("member.list"));
      expect(members.map(({ id, role }) => [id, role])).toEqual([
        [owner.userId, "owner"],
        [admin.userId, "admin"],
        [member.userId, "member"],
      ]);
      expect(members[2]).toMatchObject({ email: member.email, credits: 0, requests: 0 });
      expect(invitations).toEqual([]);
    }
    expect((await member.browser.query("member.list")).status).toBe(403);
    expect(
      (await member.browser.command("invitation.create", { email: "x@example.com", role: "member" })).status,
    ).toBe(403);
  });

  test("may be changed by admins unless they are owners, and nobody can promote themselves", async () => {
    const { id, owner, admin, member } = await withPeople();
    const change = async (who: Somebody, target: Somebody, role: Role) => {
      const seenRole = (await roleOf(id, target.userId)) ?? "member";
      return (await who.browser.command("member.set-role", { id: target.userId, role, seenRole })).status;
    };
    expect(await change(admin, owner, "member")).toBe(403);
    expect(await change(admin, member, "owner")).toBe(403);
    expect(await change(admin, admin, "owner")).toBe(403);
    expect(await change(member, member, "admin")).toBe(403);
    expect((await admin.browser.command("member.remove", { id: owner.userId })).status).toBe(403);
    expect((await member.browser.command("member.remove", { id: admin.userId })).status).toBe(403);
    expect(await change(admin, member, "admin")).toBe(200);
    expect(await change(owner, member, "owner")).toBe(200);
    expect([
      await roleOf(id, owner.userId),
      await roleOf(id, admin.userId),
      await roleOf(id, member.userId),
    ]).toEqual(["owner", "admin", "owner"]);
  });

  test("keep a last owner, who can neither leave nor step down", async () => {
    const { owner } = await withPeople();
    const down = { id: owner.userId, role: "admin", seenRole: "owner" } as const;
    const stepped = await owner.browser.command("member.set-role", down);
    const left = await owner.browser.command("member.remove", { id: owner.userId });
    expect([stepped.status, left.status]).toEqual([409, 409]);
    expect(left.problem?.message).toContain("needs an owner");
  });

  test("can leave by themselves, and then see nothing more", async () => {
    const { id, member } = await withPeople();
    okOf(await member.browser.command("member.remove", { id: member.userId }));
    expect(await roleOf(id, member.userId)).toBeUndefined();
    expect(okOf(await member.browser.query("session")).organization).toBeNull();
  });

  test("get only one of two concurrent changes of the same role; the other is a conflict", async () => {
    const { id, admin, member } = await withPeople();
    const second = await somebody(id, "admin");
    const answers = await Promise.all(
      [admin, second].map(({ browser }) =>
        browser.command("member.set-role", { id: member.userId, role: "admin", seenRole: "member" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("of other organizations are 404 like unknown ones", async () => {
    const [here, there] = [await withPeople(), await withPeople()];
    for (const [name, input] of [
      ["member.set-role", { role: "member", seenRole: "member" }],
      ["member.remove", {}],
    ] as const) {
      const foreign = await here.owner.browser.command(name, {
        ...input,
        id: there.member.userId,
      } as never);
      const missing = await here.owner.browser.command(name, {
        ...input,
        id: crypto.randomUUID(),
      } as never);
      const nonsense = await here.owner.browser.command(name, { ...input, id: "nonsense" } as never);
      expect([foreign.status, foreign.problem]).toEqual([404, missing.problem]);
      expect(nonsense.problem).toEqual(missing.problem);
    }
    expect(await roleOf(there.id, there.member.userId)).toBe("member");
  });
});

describe("somebody with several organizations", () => {
  test("sees one of their own at a time, and cannot choose any other", async () => {
    const [first, second] = [await withPeople(), await withPeople()];
    const person = await somebody(first.id, "admin");
    const { token } = okOf(await person.browser.query("session"));
    const invited = okOf(
      await second.owner.browser.command("invitation.create", { email: person.email, role: "member" }),
    );
    const invitation = invited.link?.split("/").at(-1) ?? "";
    okOf(
      await person.browser.command("accept-invitation", { token: invitation }, { "x-console-token": token }),
    );
    const session = okOf(await person.browser.query("session"));
    expect([session.organization?.id, session.organization?.role]).toEqual([second.id, "member"]);
    expect(session.organizations).toHaveLength(2);
    expect((await person.browser.query("member.list")).status).toBe(403);
    okOf(await person.browser.command("choose-organization", { id: first.id }));
    expect(okOf(await person.browser.query("member.list")).members).toHaveLength(4);
    const foreign = await fixture.createOrganization("Foreign");
    for (const id of [foreign.id, crypto.randomUUID(), "nonsense"]) {
      expect((await person.browser.command("choose-organization", { id })).status).toBe(404);
    }
  });
});
