import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase } from "../../db/index.ts";
import { OPERATOR, type OrganizationRecord } from "../../identity/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { type ConsoleFixture, createConsoleFixture, TEST_ORIGIN } from "./testing.ts";

const SESSION = "bursar.session_token";
const SCRIPT = `<script>alert('x')</script>"&`;
const ESCAPED = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;";

let fixture: ConsoleFixture;
let organization: OrganizationRecord;
let owner: { userId: string; email: string };

beforeAll(async () => {
  fixture = await createConsoleFixture();
  organization = await fixture.createOrganization("Acme");
  owner = await fixture.addMember(organization.id, "owner");
});

afterAll(() => fixture.close());

describe("every page", () => {
  test("forbids scripts, frames, foreign sources, sniffing, caching and referrers to others", async () => {
    const browser = await fixture.signIn(owner.email);
    for (const path of ["/console", "/console/", "/console/billing", "/console/nowhere", "/console/link/x"]) {
      const { headers, text } = await browser.get(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
    }
  });

  test("escapes what people named things", async () => {
    const named = await fixture.createOrganization(SCRIPT);
    const { email } = await fixture.addMember(named.id, "owner");
    await fixture.db.pool.query(`update "user" set name = $1 where email = $2`, [SCRIPT, email]);
    const scopes = ["chat"] as const;
    await fixture.identity.keys.mint({ organizationId: named.id, name: SCRIPT, scopes, actor: OPERATOR });
    const browser = await fixture.signIn(email);
    for (const path of ["/console", "/console/billing?credits=5"]) {
      const { text } = await browser.get(path);
      expect(text).not.toContain("<script");
      expect(text.split(ESCAPED).length).toBeGreaterThan(2);
    }
    const failed = await browser.get("/console/%3Cscript%3E");
    expect(failed.text).not.toContain("script");
  });

  test("answers only to its methods", async () => {
    for (const [method, path, allow] of [
      ["DELETE", "/console", "GET, HEAD"],
      ["POST", "/console/billing", "GET, HEAD"],
      ["PUT", "/console/sign-in", "GET, HEAD, POST"],
    ] as const) {
      const request = new Request(`${TEST_ORIGIN}${path}`, { method });
      const response = await fixture.openConsole().handle(request, "10.0.0.1");
      expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    }
  });

  test("of another name of this machine leads to the public address", async () => {
    const browser = fixture.openBrowser({ origin: "http://localhost:8787" });
    const { status, location } = await browser.get("/console/billing?credits=7");
    expect([status, location]).toEqual([307, `${TEST_ORIGIN}/console/billing?credits=7`]);
    for (const origin of ["http://evil.example:8787", "http://localhost:9000"]) {
      expect((await fixture.openBrowser({ origin }).get("/console")).status).toBe(200);
    }
  });

  test("says that the database does not answer when it does not", async () => {
    const db = connectDatabase({ url: fixture.db.url, poolSize: 1, log: silentLog });
    await db.close();
    const browser = fixture.openBrowser({ console: fixture.openConsole({ db }) });
    browser.cookies.set(SESSION, (await fixture.signIn(owner.email)).cookies.get(SESSION) ?? "");
    const { status, headers, text } = await browser.get("/console");
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(text).toContain("The database does not answer");
    expect(text).not.toMatch(/pool|Error|node_modules|\.ts/);
  });

  test("that fails by our own fault gives a reference and nothing else away", async () => {
    const orphan = await fixture.createOrganization("Orphan");
    const { email } = await fixture.addMember(orphan.id, "owner");
    const browser = await fixture.signIn(email);
    await fixture.db.pool.query("delete from accounts where org_id = $1", [orphan.id]);
    const { status, text } = await browser.get("/console");
    expect(status).toBe(500);
    expect(text).toMatch(/reference: [0-9a-f-]{36}/);
    expect(text).not.toMatch(/account|Error|node_modules|\.ts/);
  });
});
