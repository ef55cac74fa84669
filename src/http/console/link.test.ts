import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture } from "./testing.ts";

const HOUR_MS = 3_600_000;
const SESSION = "bursar.session_token";

let fixture: ConsoleFixture;
let email: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  email = (await fixture.addMember((await fixture.createOrganization("Acme")).id, "owner")).email;
});

afterAll(() => fixture.close());

describe("a sign-in link", () => {
  test("is not used up by being looked at, however often and by whom", async () => {
    const path = await fixture.linkFor(email, "sign-in");
    for (let i = 0; i < 3; i++) expect((await fixture.openBrowser().get(path)).status).toBe(200);
    const browser = fixture.openBrowser();
    expect((await browser.get(path)).text).toContain("Continue");
    expect(browser.cookies.has(SESSION)).toBe(false);
    expect((await browser.submit(path)).location).toBe("/console");
    expect((await browser.get("/console")).text).toContain("<h1>Acme</h1>");
  });

  test("opens one session and no second one, also when two come at once", async () => {
    const path = await fixture.linkFor(email, "sign-in");
    const browsers = Array.from({ length: 5 }, () => fixture.openBrowser());
    for (const browser of browsers) await browser.get(path);
    const pages = await Promise.all(browsers.map((browser) => browser.submit(path)));
    expect(pages.map((page) => page.status).sort()).toEqual([303, 410, 410, 410, 410]);
    const late = fixture.openBrowser();
    await late.get(path);
    const replayed = await late.submit(path);
    expect(replayed.status).toBe(410);
    expect(late.cookies.has(SESSION)).toBe(false);
  });

  test("that has expired or was never given is answered like a used one", async () => {
    const expired = await fixture.linkFor(email, "sign-in");
    await fixture.advanceClock(72 * HOUR_MS);
    const answers = [];
    for (const path of [expired, `/console/link/${"a".repeat(43)}`]) {
      const browser = fixture.openBrowser();
      await browser.get(path);
      answers.push(await browser.submit(path));
      expect(browser.cookies.has(SESSION)).toBe(false);
    }
    expect(answers.map((page) => page.status)).toEqual([410, 410]);
    expect(answers[0]?.text).toBe(answers[1]?.text as string);
  });

  test("ends the session that the browser had before, so none can be planted", async () => {
    const other = await fixture.addMember((await fixture.createOrganization("Other")).id);
    const browser = await fixture.signIn(other.email);
    const planted = browser.cookies.get(SESSION);
    const path = await fixture.linkFor(email, "sign-in");
    await browser.get(path);
    await browser.submit(path);
    expect(browser.cookies.get(SESSION)).not.toBe(planted);
    const thief = fixture.openBrowser();
    thief.cookies.set(SESSION, planted ?? "");
    expect((await thief.get("/console")).text).toContain("<h1>Sign in</h1>");
  });

  test("of another form is no page at all", async () => {
    for (const token of ["short", "a".repeat(44), `${"a".repeat(42)}%2e`, "..%2f..%2fetc"]) {
      expect((await fixture.openBrowser().get(`/console/link/${token}`)).status).toBe(404);
    }
  });
});

describe("a set-password link", () => {
  test("lets its owner choose a password, sign in with it, and do neither again", async () => {
    const browser = fixture.openBrowser();
    const path = await fixture.linkFor(email, "set-password");
    await browser.get(path);
    expect((await browser.submit(path)).location).toBe("/console/password");
    expect((await browser.get("/console/password")).text).toContain(email);
    const short = await browser.submit("/console/password", { password: "123456789", repeated: "123456789" });
    expect([short.status, short.text.includes("at least 10")]).toEqual([400, true]);
    const unlike = await browser.submit("/console/password", {
      password: "1234567890",
      repeated: "1234567891",
    });
    expect([unlike.status, unlike.text.includes("not the same")]).toEqual([400, true]);
    const before = new Map(browser.cookies);
    const password = "correct horse <battery>";
    const chosen = await browser.submit("/console/password", { password, repeated: password });
    expect(chosen.location).toBe("/console");
    expect((await browser.get("/console")).text).toContain("<h1>Acme</h1>");
    expect((await browser.get("/console/password")).location).toBe("/console");

    const replay = fixture.openBrowser();
    for (const [name, value] of before) replay.cookies.set(name, value);
    expect((await replay.submit("/console/password", { password, repeated: password })).location).toBe(
      "/console",
    );
    expect((await replay.get("/console")).text).toContain("<h1>Sign in</h1>");

    const fresh = fixture.openBrowser();
    await fresh.get("/console");
    expect((await fresh.submit("/console/sign-in", { email, password })).location).toBe("/console");
  });

  test("ends every other session of the person once the password is chosen", async () => {
    const elsewhere = await fixture.signIn(email);
    const browser = fixture.openBrowser();
    const path = await fixture.linkFor(email, "set-password");
    await browser.get(path);
    await browser.submit(path);
    await browser.get("/console/password");
    expect((await elsewhere.get("/console")).text).toContain("<h1>Acme</h1>");
    const password = "another good one";
    await browser.submit("/console/password", { password, repeated: password });
    expect((await elsewhere.get("/console")).text).toContain("<h1>Sign in</h1>");
  });

  test("is what it takes: a session alone chooses no password", async () => {
    const browser = await fixture.signIn(email);
    expect((await browser.get("/console/password")).location).toBe("/console");
    await browser.get("/console");
    const password = "not asked for one";
    const page = await browser.submit("/console/password", { password, repeated: password });
    expect(page.status).toBe(403);
  });

  test("leads to one password when the form is sent twice at once", async () => {
    const browser = fixture.openBrowser();
    const path = await fixture.linkFor(email, "set-password");
    await browser.get(path);
    await browser.submit(path);
    await browser.get("/console/password");
    const password = "sent twice at once";
    const pages = await Promise.all(
      [1, 2].map(() => browser.submit("/console/password", { password, repeated: password })),
    );
    expect(pages.map((page) => page.status).sort()).toEqual([303, 403]);
    const { rows } = await fixture.db.pool.query(
      `select count(*)::int as accounts from account a join "user" u on u.id = a."userId" where u.email = $1`,
      [email],
    );
    expect(rows).toEqual([{ accounts: 1 }]);
  });
});
