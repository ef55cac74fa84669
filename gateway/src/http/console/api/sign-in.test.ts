import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

const SESSION = "bursar.session_token";
const PASSWORD = "four words of mine";

let fixture: ConsoleFixture;
let organizationId: string;
let person: { userId: string; email: string };

beforeAll(async () => {
  fixture = await createConsoleFixture();
  organizationId = (await fixture.createOrganization()).id;
  person = await newPersonWithPassword();
});
afterAll(() => fixture.close());

async function newPersonWithPassword(): Promise<{ userId: string; email: string }> {
  const member = await fixture.addMember(organizationId, "owner");
  const browser = fixture.openBrowser();
  const token = await fixture.linkFor(member.email, "set-password");
  expect(okOf(await browser.command("redeem-link", { token })).mustChoosePassword).toBe(true);
  okOf(await browser.command("choose-password", { password: PASSWORD }));
  return member;
}

async function signInByPassword(email = person.email, password = PASSWORD): Promise<TestBrowser> {
  const browser = fixture.openBrowser();
  okOf(await browser.command("sign-in", { email, password }));
  return browser;
}

const isSignedIn = async (browser: TestBrowser) => okOf(await browser.query("session")).person !== null;

describe("a sign-in", () => {
  test("opens a new session, whatever session or cookie the browser had", async () => {
    const attacker = await fixture.signIn((await fixture.addMember(organizationId)).email);
    const planted = attacker.cookies.get(SESSION) ?? "";
    const victim = fixture.openBrowser();
    victim.cookies.set(SESSION, planted);
    okOf(await victim.command("sign-in", { email: person.email, password: PASSWORD }));
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect(okOf(await victim.query("session")).person?.id).toBe(person.userId);
    expect(await isSignedIn(attacker)).toBe(false);

    const invented = fixture.openBrowser();
    invented.cookies.set(SESSION, "invented.by-somebody");
    okOf(await invented.command("sign-in", { email: person.email, password: PASSWORD }));
    expect(invented.cookies.get(SESSION)).not.toContain("invented");
  });

  test("sets cookies that are HttpOnly, limited to /console, SameSite, and Secure on https", async () => {
    const publicUrl = "https://bursar.example";
    for (const [console, origin] of [
      [fixture.openConsole(), undefined],
      [fixture.openConsole({ publicUrl }), publicUrl],
    ] as const) {
      const browser = fixture.openBrowser({ console, ...(origin ? { origin } : {}) });
      const token = okOf(await browser.query("session")).token;
      const answer = await browser.command(
        "sign-in",
        { email: person.email, password: PASSWORD },
        { "x-console-token": token },
      );
      const lines = answer.headers.getSetCookie();
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(line).toMatch(/; Path=\/console/i);
        expect(line).toMatch(/; HttpOnly/i);
        expect(line).toMatch(/; SameSite=Lax/i);
        expect(/; Secure/i.test(line)).toBe(origin !== undefined);
        expect(line).not.toMatch(/domain=/i);
      }
    }
  });

  test("does not reveal which addresses have an account", async () => {
    const noPassword = await fixture.addMember(organizationId);
    const answers = [];
    for (const email of [person.email, noPassword.email, "nobody@example.com", "nonsense", ""]) {
      const { status, problem } = await fixture
        .openBrowser()
        .command("sign-in", { email, password: "wrong one" });
      answers.push({ status, problem });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(400);
  });

  test("is limited for guesses by address and account; neither keeps the owner out elsewhere", async () => {
    const { email } = await newPersonWithPassword();
    const clientAddress = "10.2.0.1";
    const known = fixture.openBrowser({ clientAddress });
    okOf(await known.command("sign-in", { email, password: PASSWORD }));
    okOf(await known.query("session"));
    okOf(await known.command("sign-out", {}));
    const guess = (victim: string) =>
      fixture.openBrowser({ clientAddress }).command("sign-in", { email: victim, password: "a wrong guess" });
    for (let at = 0; at < 10; at++) expect((await guess(email)).status).toBe(400);
    const right = await fixture
      .openBrowser({ clientAddress })
      .command("sign-in", { email, password: PASSWORD });
    expect([right.status, Number(right.headers.get("retry-after")) > 0]).toEqual([503, true]);
    expect(await isSignedIn(await signInByPassword(email))).toBe(true);
    for (let at = 0; at < 10; at++) await guess(`victim-${at}@example.com`);
    expect((await guess("next@example.com")).status).toBe(503);
    okOf(await known.command("sign-in", { email, password: PASSWORD }));
    expect((await known.command("sign-in", { email: person.email, password: PASSWORD })).status).toBe(503);
  });

  test("of somebody removed from all organizations shows no organization", async () => {
    const { userId, email } = await fixture.addMember(organizationId);
    const browser = await fixture.signIn(email);
    const actor = { kind: "operator" } as const;
    await fixture.identity.members.remove({ organizationId, userId, actor });
    const session = okOf(await browser.query("session"));
    expect([session.person?.id, session.organization, session.organizations]).toEqual([userId, null, []]);
    expect((await browser.query("key.list")).status).toBe(403);
  });
});

describe("a sign-out", () => {
  test("ends the session on the server: its cookie is no longer accepted", async () => {
    const browser = await signInByPassword();
    const stolen = browser.cookies.get(SESSION) ?? "";
    okOf(await browser.command("sign-out", {}));
    expect(browser.cookies.has(SESSION)).toBe(false);
    browser.cookies.set(SESSION, stolen);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.query("member.list")).problem?.code).toBe("signed_out");
  });

  test("leaves a cookie that the next command deletes, with one line for each cookie", async () => {
    const browser = await signInByPassword();
    const ended = browser.cookies.get(SESSION) ?? "";
    okOf(await browser.command("sign-out", {}));
    const token = await browser.token();
    browser.cookies.set(SESSION, ended);
    const input = { email: "nobody@example.com", password: "none of mine" };
    const { headers, problem } = await browser.command("sign-in", input, { "x-console-token": token });
    const lines = headers.getSetCookie();
    expect(problem?.code).toBe("invalid");
    expect(lines.filter((line) => line.startsWith(`${SESSION}=;`))).toHaveLength(1);
    expect(lines).toEqual([...new Set(lines)]);
  });

  test("everywhere ends every session of the person, and of nobody else", async () => {
    const [here, there] = [await signInByPassword(), await signInByPassword()];
    const other = await fixture.signIn((await fixture.addMember(organizationId)).email);
    okOf(await here.command("sign-out-everywhere", {}));
    expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(other)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe("a person's sessions", () => {
  test("are listed with device and client address, without tokens, and each can be ended", async () => {
    const { email } = await newPersonWithPassword();
    const here = await signInByPassword(email);
    const there = fixture.openBrowser({ clientAddress: "10.3.0.1" });
    const phone = { "user-agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0 Mobile" };
    okOf(await there.command("sign-in", { email, password: PASSWORD }, phone));
    const listed = okOf(await here.query("sessions"));
    expect(listed.filter(({ isThis }) => isThis)).toHaveLength(1);
    expect(listed[0]).toMatchObject({ isThis: false, device: "Chrome on Android", address: "10.3.0.1" });
    expect(listed.slice(1).every(({ address }) => address?.startsWith("10.0.0."))).toBe(true);
    const answer = JSON.stringify(listed);
    for (const browser of [here, there]) {
      const cookie = decodeURIComponent(browser.cookies.get(SESSION) ?? "");
      expect(answer).not.toContain(cookie.split(".")[0] ?? cookie);
    }
    const other = listed.find(({ isThis, id }) => !isThis && id !== "");
    for (const { id } of listed.filter(({ isThis }) => !isThis))
      okOf(await here.command("end-session", { id }));
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect((await here.command("end-session", { id: other?.id ?? "" })).status).toBe(404);
  });

  test("are limited to 100: the newest are listed, and a sign-in ends those used longest ago", async () => {
    const { userId, email } = await fixture.addMember(organizationId);
    const here = await fixture.signIn(email);
    const { db } = fixture;
    await db.pool.query(
      `insert into session (token, "userId", "expiresAt", "createdAt", "updatedAt")
       select 'many-' || n || $2, $1, bursar_now() + interval '1 day', moment, moment
       from generate_series(-120, 30) n, lateral (select bursar_now() + n * interval '1 minute' as moment) at
       where n <> 0`,
      [userId, email],
    );
    const idOf = async (n: number) => {
      const { rows } = await db.pool.query<{ id: string }>("select id from session where token = $1", [
        `many-${n}${email}`,
      ]);
      return rows[0]?.id ?? "";
    };
    const newest = await idOf(30);
    const listed = okOf(await here.query("sessions"));
    expect([listed.length, listed[0]?.id, listed[30]?.isThis]).toEqual([100, newest, true]);
    for (const id of [newest, await idOf(-120)]) okOf(await here.command("end-session", { id }));
    expect((await here.command("end-session", { id: newest })).status).toBe(404);
    expect((await here.command("end-session", { id: "nonsense" })).status).toBe(404);
    const again = await fixture.signIn(email);
    const left = await db.pool.query(`select from session where "userId" = $1`, [userId]);
    expect([left.rowCount, await idOf(-119), await isSignedIn(here), await isSignedIn(again)]).toEqual([
      100,
      "",
      true,
      true,
    ]);
  });

  test("do not include those of others, which are 404 like unknown ones", async () => {
    const mine = await signInByPassword();
    const theirs = await fixture.signIn((await fixture.addMember(organizationId)).email);
    const [session] = okOf(await theirs.query("sessions"));
    const foreign = await mine.command("end-session", { id: session?.id ?? "" });
    const missing = await mine.command("end-session", { id: crypto.randomUUID() });
    expect([foreign.status, foreign.problem]).toEqual([404, missing.problem]);
    expect(await isSignedIn(theirs)).toBe(true);
  });
});

describe("a password", () => {
  test("is changed only with the current one; that ends every other session and renews this one", async () => {
    const { email } = await newPersonWithPassword();
    const [here, there] = [await signInByPassword(email), await signInByPassword(email)];
    const stolen = here.cookies.get(SESSION) ?? "";
    const wrong = await here.command("change-password", {
      current: "not it at all",
      password: "new words of mine",
    });
    expect([wrong.status, wrong.problem?.field]).toEqual([400, "current"]);
    const none = await here.command("change-password", { password: "new words of mine" });
    expect([none.status, none.problem?.field]).toEqual([400, "current"]);
    const short = await here.command("change-password", { current: PASSWORD, password: "short" });
    expect([short.status, short.problem?.field]).toEqual([400, "password"]);
    const blank = await here.command("change-password", { current: PASSWORD, password: " ".repeat(10) });
    expect([blank.status, blank.problem?.field]).toEqual([400, "password"]);
    expect(blank.problem?.message).toContain("only spaces");
    okOf(await here.command("change-password", { current: PASSWORD, password: "new words of mine" }));
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    const thief = fixture.openBrowser();
    thief.cookies.set(SESSION, stolen);
    expect(await isSignedIn(thief)).toBe(false);
    expect((await fixture.openBrowser().command("sign-in", { email, password: PASSWORD })).status).toBe(400);
    await signInByPassword(email, "new words of mine");
  });

  test("can be set for the first time in a recent session, but not in an old one", async () => {
    const { email } = await fixture.addMember(organizationId);
    const old = await fixture.signIn(email);
    await fixture.db.pool.query(
      `update session set "createdAt" = "createdAt" - interval '2 hours' where "userId" = (select id from "user" where email = $1)`,
      [email],
    );
    expect((await old.command("change-password", { password: PASSWORD })).status).toBe(403);
    const fresh = await fixture.signIn(email);
    expect(okOf(await fresh.query("session")).person?.hasPassword).toBe(false);
    okOf(await fresh.command("change-password", { password: PASSWORD }));
    expect(await isSignedIn(fresh)).toBe(true);
    await signInByPassword(email);
  });

  test("can be chosen only with a set-password link, and once", async () => {
    const { email } = await newPersonWithPassword();
    const bySignInLink = await fixture.signIn(email);
    expect((await bySignInLink.command("choose-password", { password: "stolen by somebody" })).status).toBe(
      403,
    );
    const browser = fixture.openBrowser();
    okOf(await browser.command("redeem-link", { token: await fixture.linkFor(email, "set-password") }));
    const mayChoose = async (one: TestBrowser) => okOf(await one.query("session")).person?.mayChoosePassword;
    const blank = await browser.command("choose-password", { password: "\u00a0 ".repeat(5) });
    expect([blank.status, blank.problem?.field]).toEqual([400, "password"]);
    expect([await mayChoose(bySignInLink), await mayChoose(browser)]).toEqual([false, true]);
    okOf(await browser.command("choose-password", { password: "first choice of mine" }));
    expect(await mayChoose(browser)).toBe(false);
    expect((await browser.command("choose-password", { password: "second choice of mine" })).status).toBe(
      403,
    );
    await signInByPassword(email, "first choice of mine");
  });
});

test("opening a link's page or sending a wrong token does not use the link up", async () => {
  const { email } = await fixture.addMember(organizationId);
  const token = await fixture.linkFor(email, "sign-in");
  const browser = fixture.openBrowser();
  await browser.get(`/console/link/${token}`);
  for (const wrong of ["", "x", "a".repeat(43), `${token}x`, "\u00e9"]) {
    expect((await browser.command("redeem-link", { token: wrong })).status).toBe(404);
  }
  okOf(await browser.command("redeem-link", { token }));
  expect((await fixture.openBrowser().command("redeem-link", { token })).status).toBe(404);
});
