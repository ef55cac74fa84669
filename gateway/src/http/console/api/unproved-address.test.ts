import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../../db/index.ts";
import { OPERATOR } from "../../../identity/index.ts";
import { assert, present } from "../../../kit/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

const PASSWORD = "four words of mine";

let fixture: ConsoleFixture;
let evil: TestBrowser;
let victimId: string;
let addresses = 0;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  victimId = (await fixture.createOrganization("Victim")).id;
  const { id } = await fixture.createOrganization("Evil");
  evil = await fixture.signIn((await fixture.addMember(id, "owner")).email);
});
afterAll(() => fixture.close());

const newAddress = () => `cfo-${++addresses}@victim.example`;

/** Whoever invites sees the link, and can accept it in the other's name. */
async function squat(email: string): Promise<TestBrowser> {
  const { link } = okOf(await evil.command("invitation.create", { email, role: "member" }));
  const squatter = fixture.openBrowser();
  const token = link?.split("/").at(-1) ?? "";
  okOf(await squatter.command("accept-invitation", { token, name: "CFO", password: PASSWORD }));
  return squatter;
}

async function addToVictim(email: string) {
  const input = { organizationId: victimId, email, role: "admin", actor: OPERATOR };
  const added = await fixture.identity.members.add(input);
  assert(added.outcome === "ok", added.outcome);
  return added;
}

/** The same database, in which `happen` runs just before a session's row is written. */
function whereSessionsAreOpened(happen: () => Promise<void>): Database {
  const { db } = fixture;
  return {
    ...db,
    transaction: (work) =>
      db.transaction((client) => {
        const query = async (...given: unknown[]) => {
          if (/insert into \W*session/i.test(JSON.stringify(given))) await happen();
          return Reflect.apply(client.query, client, given);
        };
        return work(
          new Proxy(client, { get: (of, name) => (name === "query" ? query : Reflect.get(of, name)) }),
        );
      }),
  };
}

const organizationsSeenBy = async (browser: TestBrowser) =>
  okOf(await browser.query("session")).organizations.map(({ name }) => name);

describe("an account with an unverified address", () => {
  test("loses its sessions and password when an operator adds the address to an organization", async () => {
    const email = newAddress();
    const squatter = await squat(email);
    const added = await addToVictim(email);
    expect(added.account).toBe("reset");
    expect(okOf(await squatter.query("session")).person).toBeNull();
    const again = await fixture.openBrowser().command("sign-in", { email, password: PASSWORD });
    expect(again.status).toBe(400);
    const cfo = fixture.openBrowser();
    okOf(await cfo.command("redeem-link", { token: added.link?.token ?? "" }));
    expect(await organizationsSeenBy(cfo)).toEqual(["Evil", "Victim"]);
  });

  test("keeps no session of a concurrent sign-in with the old password", async () => {
    const email = newAddress();
    await squat(email);
    let adding: ReturnType<typeof addToVictim> | undefined;
    const db = whereSessionsAreOpened(async () => {
      adding = addToVictim(email);
      await Promise.race([adding, Bun.sleep(50)]);
    });
    const browser = fixture.openBrowser({ console: fixture.openConsole({ db }) });
    await browser.command("sign-in", { email, password: PASSWORD });
    const { member } = present(await adding, "the member");
    const left = await fixture.db.pool.query(`select from session where "userId" = $1`, [member.userId]);
    expect(left.rowCount).toBe(0);
  });

  test("belongs to whoever opens the operator's link; earlier sessions and passwords end", async () => {
    const email = newAddress();
    const squatter = await squat(email);
    const cfo = await fixture.signIn(email);
    expect(okOf(await squatter.query("session")).person).toBeNull();
    expect(okOf(await cfo.query("session")).person).toMatchObject({ email, hasPassword: false });
    const again = await fixture.openBrowser().command("sign-in", { email, password: PASSWORD });
    expect(again.status).toBe(400);
  });

  test("cannot be taken over by another organization's invitation", async () => {
    const email = newAddress();
    const squatter = await squat(email);
    const owner = await fixture.signIn((await fixture.addMember(victimId, "owner")).email);
    const { link } = okOf(await owner.command("invitation.create", { email, role: "admin" }));
    const token = link?.split("/").at(-1) ?? "";
    const other = { token, name: "Somebody", password: "another four words" };
    expect((await fixture.openBrowser().command("accept-invitation", other)).status).toBe(403);
    expect(okOf(await squatter.query("session")).person?.email).toBe(email);
  });
});

describe("an account with a verified address", () => {
  test("(by a link) keeps its sessions and password when it is added to another organization", async () => {
    const { email } = await fixture.addMember((await fixture.createOrganization("First")).id, "member");
    const person = fixture.openBrowser();
    okOf(await person.command("redeem-link", { token: await fixture.linkFor(email, "set-password") }));
    okOf(await person.command("choose-password", { password: PASSWORD }));
    expect((await addToVictim(email)).account).toBe("kept");
    expect(await organizationsSeenBy(person)).toEqual(["First", "Victim"]);
    okOf(await fixture.openBrowser().command("sign-in", { email, password: PASSWORD }));
  });

  test("(by an emailed invitation) is kept; one invited by a shown link is reset, even with email later", async () => {
    const emails: string[] = [];
    const mail = { send: async ({ text }: { text: string }) => void emails.push(text) };
    const console = fixture.openConsole({ mail });
    const [mailed, shown] = [newAddress(), newAddress()];
    const inviter = fixture.openBrowser({ console });
    for (const [name, value] of evil.cookies) inviter.cookies.set(name, value);
    okOf(await inviter.command("invitation.create", { email: mailed, role: "member" }));
    const { link } = okOf(await evil.command("invitation.create", { email: shown, role: "member" }));
    for (const [email, text, account] of [
      [mailed, emails[0], "kept"],
      [shown, link, "reset"],
    ] as const) {
      const token = /invitation\/([\w-]{43})/.exec(text ?? "")?.[1] ?? "";
      const guest = fixture.openBrowser({ console });
      okOf(await guest.command("accept-invitation", { token, name: "Guest", password: PASSWORD }));
      expect((await addToVictim(email)).account).toBe(account);
    }
  });

  test("(by an emailed sign-up) keeps its sessions", async () => {
    const emails: string[] = [];
    const mail = { send: async ({ text }: { text: string }) => void emails.push(text) };
    const console = fixture.openConsole({ mail, signUpIsOpen: true });
    const email = newAddress();
    const guest = fixture.openBrowser({ console });
    okOf(await guest.command("sign-up", { name: "Guest", email, organization: "Own" }));
    const token = /sign-up\/(\S+)/.exec(emails[0] ?? "")?.[1] ?? "";
    okOf(await guest.command("confirm-sign-up", { token }));
    expect((await addToVictim(email)).account).toBe("kept");
    expect(await organizationsSeenBy(guest)).toEqual(["Own", "Victim"]);
  });
});

test("an invitation's page does not reveal whether its address has an account", async () => {
  const { email: known } = await fixture.addMember((await fixture.createOrganization("Else")).id, "member");
  const answers = [];
  for (const email of [known, newAddress()]) {
    const { link } = okOf(await evil.command("invitation.create", { email, role: "member" }));
    const token = link?.split("/").at(-1) ?? "";
    const found = okOf(await fixture.openBrowser().query("invitation", { token }));
    answers.push({ ...found, email: "", expiresAt: "" });
  }
  expect(answers[0]).toEqual(answers[1]);
});
