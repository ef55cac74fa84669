import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture, okOf } from "../testing.ts";

const PASSWORD = "four words of mine";

type Email = { readonly to: string; readonly subject: string; readonly text: string };

let fixture: ConsoleFixture;
let known: { userId: string; email: string };
let addresses = 0;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  known = await fixture.addMember((await fixture.createOrganization()).id, "owner");
});
afterAll(() => fixture.close());

const newWanted = () => ({ name: "Ana", email: `ana-${++addresses}@example.com`, organization: "Ana & Co" });

function withMail() {
  const emails: Email[] = [];
  const mail = { send: async (message: Email) => void emails.push(message) };
  const console = fixture.openConsole({ signUpIsOpen: true, mail });
  return { emails, console, open: () => fixture.openBrowser({ console }) };
}

const tokenIn = (message: Email | undefined) => /sign-up\/([\w.-]+)/.exec(message?.text ?? "")?.[1] ?? "";

test("a closed sign-up creates nothing, not even with a mailed link", async () => {
  const wanted = newWanted();
  const browser = fixture.openBrowser();
  expect((await browser.command("sign-up", { ...wanted, password: PASSWORD })).status).toBe(403);
  const { open, emails } = withMail();
  okOf(await open().command("sign-up", wanted));
  const confirmed = await browser.command("confirm-sign-up", { token: tokenIn(emails[0]) });
  expect(confirmed.status).toBe(403);
  expect(await fixture.identity.people.hasAccount(wanted.email)).toBe(false);
});

describe("an open sign-up", () => {
  test("without email creates person and organization, and signs in as its owner", async () => {
    const browser = fixture.openBrowser({ console: fixture.openConsole({ signUpIsOpen: true }) });
    const wanted = newWanted();
    expect(okOf(await browser.command("sign-up", { ...wanted, password: PASSWORD }))).toEqual({
      mailed: false,
    });
    const session = okOf(await browser.query("session"));
    expect(session.person).toMatchObject({ name: "Ana", email: wanted.email, hasPassword: true });
    expect(session.organization).toMatchObject({ name: "Ana & Co", plan: "free", role: "owner" });
    okOf(await fixture.openBrowser().command("sign-in", { email: wanted.email, password: PASSWORD }));
  });

  test("is 503 if no more emails are accepted, and does not count towards a limit", async () => {
    let isFull = true;
    const mail = {
      async send() {
        if (isFull) throw new Error("the queue of emails is full");
      },
    };
    const browser = fixture.openBrowser({ console: fixture.openConsole({ signUpIsOpen: true, mail }) });
    const wanted = newWanted();
    for (let at = 0; at < 10; at++) {
      const { status, problem } = await browser.command("sign-up", wanted);
      expect(status).toBe(503);
      expect(problem).toMatchObject({ code: "busy", message: expect.stringContaining("emails") });
    }
    isFull = false;
    okOf(await browser.command("sign-up", wanted));
  });

  test("never gets a slug that the catalog reserves for a model, even if it is free", async () => {
    const browser = fixture.openBrowser({ console: fixture.openConsole({ signUpIsOpen: true }) });
    okOf(
      await browser.command("sign-up", { ...newWanted(), organization: "Kept Partner", password: PASSWORD }),
    );
    expect(await fixture.identity.organizations.find("kept-partner")).toBeUndefined();
    expect(await fixture.identity.organizations.find("kept-partner-2")).toBeUndefined();
    expect(await fixture.identity.organizations.find("kept-partner-3")).toMatchObject({
      name: "Kept Partner",
    });
    expect(await fixture.createOrganization("Kept Partner")).toMatchObject({ slug: "kept-partner" });
  });

  test("does not take over an existing account", async () => {
    const browser = fixture.openBrowser({ console: fixture.openConsole({ signUpIsOpen: true }) });
    const wanted = { ...newWanted(), email: ` ${known.email.toUpperCase()} `, password: PASSWORD };
    expect((await browser.command("sign-up", wanted)).problem?.field).toBe("email");
    expect(okOf(await browser.query("session")).person).toBeNull();
    const guess = await fixture.openBrowser().command("sign-in", { email: known.email, password: PASSWORD });
    expect(guess.status).toBe(400);
  });

  test("with email answers the same for every address, and sends only to the address", async () => {
    const { open, emails } = withMail();
    const wanted = newWanted();
    const answers = [];
    for (const email of [known.email, wanted.email]) {
      const { status, ok, headers } = await open().command("sign-up", { ...wanted, email });
      answers.push({ status, ok, cookies: headers.getSetCookie() });
    }
    expect(answers[0]).toEqual({ status: 200, ok: { mailed: true }, cookies: [] });
    expect(answers[1]).toEqual(answers[0]);
    expect(emails.map(({ to }) => to)).toEqual([known.email, wanted.email]);
    expect([tokenIn(emails[0]), tokenIn(emails[1]) !== ""]).toEqual(["", true]);
    expect(await fixture.identity.people.hasAccount(wanted.email)).toBe(false);
  });

  test("is completed once by the mailed link, after which a password can be chosen", async () => {
    const { open, emails } = withMail();
    const wanted = newWanted();
    okOf(await open().command("sign-up", wanted));
    const token = tokenIn(emails[0]);
    const browser = open();
    okOf(await browser.command("confirm-sign-up", { token }));
    expect(okOf(await browser.query("session")).organization).toMatchObject({
      name: "Ana & Co",
      role: "owner",
    });
    expect((await open().command("confirm-sign-up", { token })).status).toBe(404);
    okOf(await browser.command("choose-password", { password: PASSWORD }));
    okOf(await open().command("sign-in", { email: wanted.email, password: PASSWORD }));
  });

  test("is not completed by a link that is forged or altered", async () => {
    const { open, emails } = withMail();
    okOf(await open().command("sign-up", newWanted()));
    const [payload = "", signature = ""] = tokenIn(emails[0]).split(".");
    const forged = Buffer.from(JSON.stringify({ ...newWanted(), expiresAtMs: Date.now() + 1e9 })).toString(
      "base64url",
    );
    for (const token of ["", "x", `${forged}.${signature}`, `${payload}.`, payload, "x".repeat(60_000)]) {
      expect((await open().command("confirm-sign-up", { token })).status).toBe(404);
    }
  });

  test("is limited by network and by email address", async () => {
    const { console } = withMail();
    const signUp = (clientAddress: string, email: string) =>
      fixture
        .openBrowser({ console, clientAddress })
        .command("sign-up", { ...newWanted(), email })
        .then(({ status }) => status);
    for (let at = 0; at < 3; at++) expect(await signUp(`10.3.0.${at}`, "nuisance@example.com")).toBe(200);
    expect(await signUp("10.3.0.9", "nuisance@example.com")).toBe(503);
    for (let at = 0; at < 10; at++) expect(await signUp("10.4.0.1", `bulk-${at}@example.com`)).toBe(200);
    expect(await signUp("10.4.0.1", "bulk-10@example.com")).toBe(503);
  });

  test.each([
    ["name", { name: "" }],
    ["email", { email: "nonsense" }],
    ["organization", { organization: "\u0007" }],
    ["password", { password: "short" }],
    ["password", { password: " ".repeat(10) }],
  ])("with a wrong %s is refused with that field's name", async (field, wrong) => {
    const browser = fixture.openBrowser({ console: fixture.openConsole({ signUpIsOpen: true }) });
    const input = { ...newWanted(), password: PASSWORD, ...wrong };
    const { status, problem } = await browser.command("sign-up", input);
    expect([status, problem?.field]).toEqual([400, field]);
  });
});

describe("a link for a forgotten password", () => {
  test("is sent only to the address, and the response is the same for every address", async () => {
    const emails: Email[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const mail = {
      async send(message: Email) {
        emails.push(message);
        resolve();
      },
    };
    const console = fixture.openConsole({ mail });
    const answers = [];
    for (const email of ["nobody@example.com", known.email]) {
      const { status, ok } = await fixture.openBrowser({ console }).command("request-link", { email });
      answers.push({ status, ok });
    }
    expect(answers).toEqual([
      { status: 200, ok: {} },
      { status: 200, ok: {} },
    ]);
    await promise;
    expect(emails.map(({ to }) => to)).toEqual([known.email]);
    const token = /link\/([\w-]{43})/.exec(emails[0]?.text ?? "")?.[1] ?? "";
    const browser = fixture.openBrowser();
    expect(okOf(await browser.command("redeem-link", { token })).mustChoosePassword).toBe(true);
    expect((await browser.command("request-link", { email: known.email })).status).toBe(403);
  });

  test("is refused if no more emails are accepted; the older link still works, and no limit counts it", async () => {
    let hasRoom = false;
    const { promise, resolve } = Promise.withResolvers<Email>();
    const mail = { hasRoom: () => hasRoom, send: async (message: Email) => resolve(message) };
    const browser = fixture.openBrowser({ console: fixture.openConsole({ mail }) });
    const older = await fixture.linkFor(known.email, "set-password");
    for (const email of Array.from({ length: 10 }, () => [known.email, "nobody@example.com"]).flat()) {
      const { status, problem } = await browser.command("request-link", { email });
      expect(status).toBe(503);
      expect(problem).toMatchObject({ code: "busy", message: expect.stringContaining("emails") });
    }
    okOf(await fixture.openBrowser().command("redeem-link", { token: older }));
    hasRoom = true;
    okOf(await browser.command("request-link", { email: known.email }));
    expect((await promise).to).toBe(known.email);
  });
});
