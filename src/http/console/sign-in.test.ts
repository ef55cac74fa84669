import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { silentLog } from "../../telemetry/index.ts";
import { openLibrary } from "./accounts-library.ts";
import { type ConsoleFixture, createConsoleFixture, TEST_ORIGIN, type TestBrowser } from "./testing.ts";

const SESSION = "bursar.session_token";
const PASSWORD = "a long enough password";

let fixture: ConsoleFixture;
let email: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  email = await addPerson();
});

afterAll(() => fixture.close());

/** Somebody with a password. */
async function addPerson(): Promise<string> {
  const person = await fixture.addMember((await fixture.createOrganization("Acme")).id, "owner");
  const browser = fixture.openBrowser();
  await browser.get(`/console/link/${person.token}`);
  await browser.submit(`/console/link/${person.token}`);
  await browser.get("/console/password");
  await browser.submit("/console/password", { password: PASSWORD, repeated: PASSWORD });
  return person.email;
}

async function tryPassword(browser: TestBrowser, fields: { email: string; password: string }) {
  await browser.get("/console");
  return browser.submit("/console/sign-in", fields);
}

describe("signing in", () => {
  test("answers the same for an unknown address, a wrong password and a person without one", async () => {
    const without = await fixture.addMember((await fixture.createOrganization()).id);
    const answers = [];
    for (const [address, password] of [
      [email, "a wrong password"],
      ["nobody@example.com", PASSWORD],
      [without.email, PASSWORD],
      ["not an address", PASSWORD],
      [email, "x".repeat(5000)],
      [email, ""],
    ] as const) {
      const browser = fixture.openBrowser();
      const { status, text } = await tryPassword(browser, { email: address, password });
      expect(browser.cookies.has(SESSION)).toBe(false);
      const bare = text.replace(/name="form_token" value="[^"]+"/, "").replace(address, "");
      answers.push({ status, text: bare });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
  });

  test("does the same work for an unknown address and a person without a password as for a wrong one", async () => {
    const secret = "a secret of at least thirty-two characters";
    const library = await openLibrary({ db: fixture.db, publicUrl: TEST_ORIGIN, secret, log: silentLog });
    const { password: passwords } = await library.$context;
    const [hash, verify] = [spyOn(passwords, "hash"), spyOn(passwords, "verify")];
    const hashings = () => hash.mock.calls.length + verify.mock.calls.length;
    const without = await fixture.addMember((await fixture.createOrganization()).id);
    for (const address of [await addPerson(), without.email, "nobody-else@example.com"]) {
      const before = hashings();
      const credentials = { email: address, password: "a wrong password" };
      await expect(library.api.signInEmail({ body: credentials })).rejects.toThrow();
      expect(hashings() - before).toBe(1);
    }
  });

  test("gives each sign-in a session of its own", async () => {
    const [one, two] = [fixture.openBrowser(), fixture.openBrowser()];
    await tryPassword(one, { email, password: PASSWORD });
    await tryPassword(two, { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    expect((await two.get("/console")).text).toContain("<h1>Acme</h1>");
    expect(one.cookies.get(SESSION)).not.toBe(two.cookies.get(SESSION));
  });

  test("sets a cookie that scripts, other sites and the API never see", async () => {
    const browser = fixture.openBrowser();
    const page = await tryPassword(browser, { email, password: PASSWORD });
    const line = page.headers.getSetCookie().find((one) => one.startsWith(`${SESSION}=`)) ?? "";
    expect(line).toContain("HttpOnly");
    expect(line).toContain("SameSite=Lax");
    expect(line).toContain("Path=/console");
    expect(line).not.toContain("Secure");

    const origin = "https://ai.example.com";
    const secure = fixture.openBrowser({ console: fixture.openConsole({ publicUrl: origin }), origin });
    const replies = [await secure.get("/console")];
    replies.push(await secure.submit("/console/sign-in", { email, password: PASSWORD }));
    const lines = replies.flatMap((reply) => reply.headers.getSetCookie());
    expect(lines.some((one) => one.startsWith(`__Secure-${SESSION}=`))).toBe(true);
    for (const one of lines)
      expect(one).toMatch(/HttpOnly.*SameSite=Lax.*; Secure|Secure.*HttpOnly.*SameSite=Lax/);
    expect((await secure.get("/console")).text).toContain("<h1>Acme</h1>");
  });

  test("comes back to the credits that were asked for, and to nowhere else", async () => {
    const browser = fixture.openBrowser();
    expect((await browser.get("/console/billing?credits=250")).text).toContain('name="credits" value="250"');
    const fields = { email, password: PASSWORD, credits: "250" };
    expect((await browser.submit("/console/sign-in", fields)).location).toBe("/console/billing?credits=250");
    for (const credits of ["//evil.example", "1&x=2", "-5", "1e3", "9".repeat(40)]) {
      const page = await browser.submit("/console/sign-in", { ...fields, credits, next: "//evil.example" });
      expect(page.location).toBe("/console");
    }
  });
});

describe("a session", () => {
  async function move(interval: string): Promise<void> {
    const query = `update session set "expiresAt" = "expiresAt" + $1::interval`;
    await fixture.db.pool.query(query, [interval]);
  }

  test("ends when its time is over, and is forgotten at the next sign-in", async () => {
    const browser = await fixture.signIn(email);
    await move("-8 days");
    await fixture.signIn(email);
    const { rows } = await fixture.db.pool.query(
      `select count(*)::int as expired from session s join "user" u on u.id = s."userId"
       where u.email = $1 and "expiresAt" < now()`,
      [email],
    );
    expect(rows).toEqual([{ expired: 0 }]);
    expect((await browser.get("/console")).text).toContain("<h1>Sign in</h1>");
  });

  test("of somebody who comes back every few days goes on", async () => {
    const browser = await fixture.signIn(email);
    for (let visit = 0; visit < 3; visit++) {
      await move("-5 days");
      expect((await browser.get("/console")).text).toContain("<h1>Acme</h1>");
    }
  });

  test("whose cookie was altered is none", async () => {
    const browser = await fixture.signIn(email);
    const cookie = browser.cookies.get(SESSION) ?? "";
    const first = cookie.startsWith("a") ? "b" : "a";
    for (const altered of [
      `${cookie}x`,
      cookie.slice(0, 32),
      `${first}${cookie.slice(1)}`,
      "",
      "x".repeat(20_000),
    ]) {
      browser.cookies.set(SESSION, altered);
      expect((await browser.get("/console")).text).toContain("<h1>Sign in</h1>");
    }
  });
});

describe("signing out", () => {
  test("ends the session on the server: its cookie opens nothing more, on any node", async () => {
    const browser = await fixture.signIn(email);
    const cookie = browser.cookies.get(SESSION) ?? "";
    await browser.get("/console");
    expect((await browser.submit("/console/sign-out")).location).toBe("/console");
    expect(browser.cookies.has(SESSION)).toBe(false);
    for (const console of [undefined, fixture.openConsole()]) {
      const thief = fixture.openBrowser({ console });
      thief.cookies.set(SESSION, cookie);
      expect((await thief.get("/console")).text).toContain("<h1>Sign in</h1>");
    }
  });
});

describe("guessing", () => {
  test("at one account is stopped after ten failures, from wherever they come", async () => {
    const victim = await addPerson();
    for (let i = 0; i < 10; i++) {
      expect(
        (await tryPassword(fixture.openBrowser(), { email: victim, password: `guess number ${i}` })).status,
      ).toBe(401);
    }
    const page = await tryPassword(fixture.openBrowser(), { email: victim, password: PASSWORD });
    expect(page.status).toBe(429);
    expect(Number(page.headers.get("retry-after"))).toBeWithin(1, 901);
    expect((await (await fixture.signIn(victim)).get("/console")).text).toContain("<h1>Acme</h1>");
  });
});
