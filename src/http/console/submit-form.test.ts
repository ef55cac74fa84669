import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ConsoleFixture, createConsoleFixture, type TestBrowser } from "./testing.ts";

let fixture: ConsoleFixture;
let email: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  email = (await fixture.addMember((await fixture.createOrganization("Acme")).id, "owner")).email;
});

afterAll(() => fixture.close());

async function isSignedIn(browser: TestBrowser): Promise<boolean> {
  return (await browser.get("/console")).text.includes("<h1>Acme</h1>");
}

const FOREIGN_HEADERS: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "" },
  { origin: "http://127.0.0.1:8788" },
  { origin: "http://127.0.0.1:8787.evil.example" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "none" },
];

describe("a form", () => {
  test.each(FOREIGN_HEADERS)("sent from elsewhere changes nothing: %p", async (headers) => {
    const browser = await fixture.signIn(email);
    await browser.get("/console");
    expect((await browser.submit("/console/sign-out", {}, headers)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
    const path = await fixture.linkFor(email, "sign-in");
    const other = fixture.openBrowser();
    await other.get(path);
    expect((await other.submit(path, {}, headers)).status).toBe(403);
    expect((await other.submit(path)).status).toBe(303);
  });

  test("is taken on plain http, where browsers leave Sec-Fetch-Site out", async () => {
    const browser = await fixture.signIn(email);
    await browser.get("/console");
    const page = await browser.submit("/console/sign-out", {}, { "sec-fetch-site": null });
    expect(page.status).toBe(303);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("without the token of this session changes nothing", async () => {
    const [browser, other] = [await fixture.signIn(email), await fixture.signIn(email)];
    const tokenOf = async (one: TestBrowser) =>
      /name="form_token" value="([^"]+)"/.exec((await one.get("/console")).text)?.[1] ?? "";
    const visitor = await tokenOf(fixture.openBrowser());
    const foreign = await tokenOf(other);
    for (const form_token of ["", "x", foreign, visitor, `${await tokenOf(browser)}x`]) {
      for (const path of ["/console/sign-out", "/console/organization", "/console/password"]) {
        const page = await browser.submit(path, { form_token });
        expect([page.status, page.text.includes("out of date")]).toEqual([403, true]);
      }
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("without the token of this visitor redeems no link and tries no password", async () => {
    const path = await fixture.linkFor(email, "sign-in");
    const [browser, other] = [fixture.openBrowser(), fixture.openBrowser()];
    await browser.get(path);
    const foreign = /name="form_token" value="([^"]+)"/.exec((await other.get(path)).text)?.[1] ?? "";
    for (const form_token of ["", "x", foreign]) {
      for (const target of [path, "/console/sign-in"]) {
        expect((await browser.submit(target, { form_token, email, password: "x" })).status).toBe(403);
      }
    }
    browser.cookies.clear();
    expect((await browser.submit(path)).status).toBe(403);
    await browser.get(path);
    expect((await browser.submit(path)).location).toBe("/console");
  });

  test("that needs a session leads to the sign-in without one", async () => {
    const browser = fixture.openBrowser();
    await browser.get("/console");
    for (const path of ["/console/sign-out", "/console/organization", "/console/password"]) {
      expect((await browser.submit(path)).location).toBe("/console");
    }
  });

  test("of another type or of any size is refused before it is looked at", async () => {
    const browser = fixture.openBrowser();
    await browser.get("/console");
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x"]) {
      expect((await browser.submit("/console/sign-in", {}, { "content-type": type })).status).toBe(415);
    }
    expect((await browser.submit("/console/sign-in", { email: "x".repeat(20_000) })).status).toBe(413);
  });
});
