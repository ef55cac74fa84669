import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

const PASSWORD = "four words of mine";

let fixture: ConsoleFixture;
let owner: TestBrowser;
let addresses = 0;

beforeAll(async () => {
  fixture = await createConsoleFixture();
});
beforeEach(async () => {
  const { id } = await fixture.createOrganization("Acme");
  owner = await fixture.signIn((await fixture.addMember(id, "owner")).email);
});
afterAll(() => fixture.close());

const newAddress = () => `guest-${++addresses}@example.com`;

async function invite(email: string, role: "owner" | "admin" | "member" = "member"): Promise<string> {
  const { link } = okOf(await owner.command("invitation.create", { email, role }));
  return link?.split("/").at(-1) ?? "";
}

describe("an invitation", () => {
  test("lets somebody without an account choose name and password once, and signs them in", async () => {
    const email = newAddress();
    const token = await invite(email, "admin");
    const guest = fixture.openBrowser();
    expect(okOf(await guest.query("invitation", { token }))).toMatchObject({
      organization: "Acme",
      email,
      role: "admin",
    });
    okOf(await guest.command("accept-invitation", { token, name: "Guest", password: PASSWORD }));
    const session = okOf(await guest.query("session"));
    expect(session.person).toMatchObject({ name: "Guest", email, hasPassword: true });
    expect(session.organization).toMatchObject({ name: "Acme", role: "admin" });
    okOf(await fixture.openBrowser().command("sign-in", { email, password: PASSWORD }));
    for (const browser of [guest, fixture.openBrowser()]) {
      const again = { token, name: "Guest", password: PASSWORD };
      expect((await browser.command("accept-invitation", again)).status).toBe(404);
      expect((await browser.query("invitation", { token })).status).toBe(404);
    }
  });

  test("requires somebody with an account to be signed in to it", async () => {
    const { id } = await fixture.createOrganization("Elsewhere");
    const invited = await fixture.addMember(id, "member");
    const other = await fixture.signIn((await fixture.addMember(id, "member")).email);
    const token = await invite(invited.email);
    const stranger = await fixture.openBrowser().command("accept-invitation", {
      token,
      name: "Taken over",
      password: PASSWORD,
    });
    expect(stranger.status).toBe(403);
    const asOther = await other.command("accept-invitation", { token });
    expect([asOther.status, asOther.problem?.message.includes(invited.email)]).toEqual([403, true]);
    const right = await fixture.signIn(invited.email);
    okOf(await right.command("accept-invitation", { token }));
    expect(okOf(await right.query("session")).organization?.name).toBe("Acme");
    const taken = await fixture
      .openBrowser()
      .command("sign-in", { email: invited.email, password: PASSWORD });
    expect(taken.status).toBe(400);
  });

  test("tells somebody with an account how to get a link: by email if that is configured", async () => {
    const { id } = await fixture.createOrganization("Elsewhere");
    const token = await invite((await fixture.addMember(id, "member")).email);
    const mailing = fixture.openConsole({ mail: { send: async () => {} } });
    const said = async (browser: TestBrowser) => {
      const taken = { token, name: "Guest", password: PASSWORD };
      return (await browser.command("accept-invitation", taken)).problem?.message;
    };
    expect(await said(fixture.openBrowser())).toContain("ask whoever runs this Bursar for a link");
    const mailed = await said(fixture.openBrowser({ console: mailing }));
    expect(mailed).toContain("get a link by email");
    expect(mailed).not.toContain("whoever runs this Bursar");
  });

  test("cannot be accepted with another role", async () => {
    const token = await invite(newAddress());
    const input = { token, name: "Guest", password: PASSWORD, role: "owner" } as never;
    expect((await fixture.openBrowser().command("accept-invitation", input)).status).toBe(400);
    expect(okOf(await fixture.openBrowser().query("invitation", { token })).role).toBe("member");
  });

  test.each([
    ["password", { name: "Guest", password: "short" }],
    ["password", { name: "Guest", password: " ".repeat(10) }],
    ["password", { name: "Guest" }],
    ["name", { password: PASSWORD }],
    ["name", { name: "a\nb", password: PASSWORD }],
  ])("with a wrong %s is refused and stays valid", async (field, wrong) => {
    const token = await invite(newAddress());
    const { status, problem } = await fixture.openBrowser().command("accept-invitation", { token, ...wrong });
    expect([status, problem?.field]).toEqual([400, field]);
    okOf(await fixture.openBrowser().query("invitation", { token }));
  });

  test("with a wrong name is refused without counting towards the limit of attempts", async () => {
    const known = await fixture.addMember((await fixture.createOrganization("Known")).id, "member");
    const [fresh, taken] = [await invite(newAddress()), await invite(known.email)];
    const tryOften = async (input: { token: string; name: string; password: string }) => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => fixture.openBrowser().command("accept-invitation", input)),
      );
      return answers.map(({ status }) => status).toSorted();
    };
    expect(new Set(await tryOften({ token: fresh, name: "", password: PASSWORD }))).toEqual(new Set([400]));
    const braked = await tryOften({ token: taken, name: "Guest", password: PASSWORD });
    expect(braked).toEqual([...Array(10).fill(403), ...Array(30).fill(503)]);
    okOf(
      await fixture
        .openBrowser()
        .command("accept-invitation", { token: fresh, name: "Guest", password: PASSWORD }),
    );
  });

  test("is refused after 20 failed attempts on several invitations from one network", async () => {
    const { id } = await fixture.createOrganization("Many");
    const statuses = [];
    for (let at = 0; at < 5; at++) {
      const token = await invite((await fixture.addMember(id, "member")).email);
      const input = { token, name: "Guest", password: PASSWORD };
      for (let often = 0; often < 5; often++) {
        const guest = fixture.openBrowser({ clientAddress: "10.9.0.1" });
        statuses.push((await guest.command("accept-invitation", input)).status);
      }
    }
    expect(statuses).toEqual([...Array(20).fill(403), ...Array(5).fill(503)]);
  });

  test("can be cancelled in the list, which never shows its link", async () => {
    const email = newAddress();
    const token = await invite(email);
    const answer = await owner.query("member.list");
    expect(JSON.stringify(answer)).not.toContain(token);
    const [listed] = okOf(answer).invitations;
    expect(listed?.email).toBe(email);
    okOf(await owner.command("invitation.cancel", { id: listed?.id ?? "" }));
    expect((await fixture.openBrowser().query("invitation", { token })).status).toBe(404);
    expect((await owner.command("invitation.cancel", { id: listed?.id ?? "" })).status).toBe(404);
  });

  test("does not reveal whether there is an account; with email, only the invited address gets the link", async () => {
    const { id } = await fixture.createOrganization("Elsewhere");
    const known = await fixture.addMember(id, "member");
    const emails: { to: string; text: string }[] = [];
    const mail = { send: async (message: { to: string; text: string }) => void emails.push(message) };
    const browser = fixture.openBrowser({ console: fixture.openConsole({ mail }) });
    for (const [name, value] of owner.cookies) browser.cookies.set(name, value);
    const unknown = newAddress();
    const answers = [];
    for (const email of [known.email, unknown]) {
      const { status, ok } = await browser.command("invitation.create", { email, role: "member" });
      answers.push({ status, link: ok?.link });
    }
    expect(answers).toEqual([
      { status: 200, link: null },
      { status: 200, link: null },
    ]);
    expect(emails.map(({ to }) => to)).toEqual([known.email, unknown]);
    const token = /invitation\/([\w-]{43})/.exec(emails[1]?.text ?? "")?.[1] ?? "";
    expect(okOf(await fixture.openBrowser().query("invitation", { token })).email).toBe(unknown);
  });

  test.each([
    ["before the old one is replaced", "queue"],
    ["although there was room for it before", "letter"],
  ])("is 503 if no more emails are accepted, %s, and does not count towards a limit", async (_, refusing) => {
    let isFull = false;
    const emails: string[] = [];
    const mail = {
      hasRoom: () => !isFull || refusing === "letter",
      async send({ text }: { text: string }) {
        if (isFull) throw new Error("the queue of emails is full");
        emails.push(text);
      },
    };
    const browser = fixture.openBrowser({ console: fixture.openConsole({ mail }) });
    for (const [name, value] of owner.cookies) browser.cookies.set(name, value);
    const wanted = { email: newAddress(), role: "member" } as const;
    okOf(await browser.command("invitation.create", wanted));
    isFull = true;
    for (let at = 0; at < 20; at++) {
      const { status, problem } = await browser.command("invitation.create", wanted);
      expect(status).toBe(503);
      expect(problem).toMatchObject({ code: "busy", message: expect.stringContaining("emails") });
    }
    const token = /invitation\/([\w-]{43})/.exec(emails[0] ?? "")?.[1] ?? "";
    if (refusing === "queue") okOf(await fixture.openBrowser().query("invitation", { token }));
    isFull = false;
    okOf(await browser.command("invitation.create", wanted));
    expect(emails).toHaveLength(2);
  });

  test("has no link but its own in its email, whatever the names are", async () => {
    const emails: { subject: string; text: string }[] = [];
    const mail = { send: async (message: { subject: string; text: string }) => void emails.push(message) };
    const browser = fixture.openBrowser({ console: fixture.openConsole({ mail }) });
    for (const [name, value] of owner.cookies) browser.cookies.set(name, value);
    okOf(await browser.command("rename", { name: "Win at https://evil.example/now" }));
    okOf(await browser.command("invitation.create", { email: newAddress(), role: "member" }));
    const { subject, text } = emails[0] ?? { subject: "", text: "" };
    expect(subject).toBe("Win at https evil example now invites you to Acme");
    expect(text).not.toContain("evil.example");
    expect(text.match(/https?:\S+/g)).toHaveLength(1);
  });

  test("is sent even if strangers have requested links for its address", async () => {
    const console = fixture.openConsole({ mail: { send: async () => {} } });
    const email = newAddress();
    for (let at = 0; at < 5; at++) {
      okOf(await fixture.openBrowser({ console }).command("request-link", { email }));
    }
    const stranger = await fixture.openBrowser({ console }).command("request-link", { email });
    expect(stranger.status).toBe(503);
    const browser = fixture.openBrowser({ console });
    for (const [name, value] of owner.cookies) browser.cookies.set(name, value);
    okOf(await browser.command("invitation.create", { email, role: "member" }));
  });

  test("is 503 after five to the same address, in any spelling", async () => {
    const email = newAddress();
    for (let at = 0; at < 5; at++) await invite(email);
    const { status, headers } = await owner.command("invitation.create", { email, role: "member" });
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true]);
    // The same address in another spelling.
    const shouted = { email: ` ${email.toUpperCase()} `, role: "member" } as const;
    expect((await owner.command("invitation.create", shouted)).status).toBe(503);
  });

  test("is limited per organization and address, and to 20 for one address of all organizations", async () => {
    const email = newAddress();
    const statuses = [];
    for (const name of ["First", "Second", "Third", "Fourth", "Fifth"]) {
      const { id } = await fixture.createOrganization(name);
      const inviter = await fixture.signIn((await fixture.addMember(id, "admin")).email);
      for (let at = 0; at < 5; at++) {
        statuses.push((await inviter.command("invitation.create", { email, role: "member" })).status);
      }
    }
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(503)]);
  });
});
