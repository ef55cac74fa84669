import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase } from "../../db/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, TEST_ORIGIN } from "./testing.ts";

const SESSION = "bursar.session_token";

let fixture: ConsoleFixture;
let owner: { userId: string; email: string };

beforeAll(async () => {
  fixture = await createConsoleFixture();
  const organization = await fixture.createOrganization("Acme");
  owner = await fixture.addMember(organization.id, "owner");
});

afterAll(() => fixture.close());

describe("every page", () => {
  test("forbids inline and foreign scripts and styles, frames, sniffing, caching and foreign referrers", async () => {
    const browser = await fixture.signIn(owner.email);
    for (const path of ["/console", "/console/", "/console/keys", "/console/nowhere", "/console/link/x"]) {
      const { headers, text } = await browser.get(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'; ");
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(text).not.toMatch(
        /<style|\sstyle=|\son[a-z]+=|<script(?! type="module" src="\/console\/files\/)/,
      );
    }
  });

  test("has theme-color tags for the chosen theme", async () => {
    const page = async (cookie: string) =>
      (await fixture.openBrowser().send("/console", { headers: { cookie } })).text();
    expect(await page("")).toContain('media="(prefers-color-scheme: dark)" data-theme="dark"');
    expect(await page("bursar.theme=dark")).toContain('media="all" data-theme="dark"');
  });

  test("requests both fonts before any text is drawn", async () => {
    const browser = fixture.openBrowser();
    const { text } = await browser.get("/console");
    const tag = /<link rel="preload" as="font" type="font\/woff2" crossorigin href="([^"]+)">/g;
    const paths = [...text.matchAll(tag)].map(([, path]) => path ?? "");
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const { status, headers } = await browser.send(path, {});
      expect([status, headers.get("content-type")]).toEqual([200, "font/woff2"]);
    }
  });

  test("contains nothing of the request's path or query", async () => {
    const browser = fixture.openBrowser();
    const plain = await browser.get("/console");
    const strange = await browser.get("/console/%3Cscript%3Ealert(1)%3C/script%3E?next=https://evil.example");
    expect(strange.text).toBe(plain.text);
  });

  test("shows the operator's command as configured, in its text and to its script", async () => {
    const browser = fixture.openBrowser({ console: fixture.openConsole({ command: "ssh <host> bursar" }) });
    expect((await browser.get("/console")).text).toContain("<code>ssh &lt;host&gt; bursar --help</code>");
    expect(okOf(await browser.query("session")).service.command).toBe("ssh <host> bursar");
  });

  test("refuses methods other than GET and HEAD", async () => {
    for (const method of ["DELETE", "POST", "PUT"]) {
      const response = await fixture.openBrowser().send("/console/keys", { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  test("redirects from another name of this machine to the public address, and from no other host", async () => {
    const browser = fixture.openBrowser({ origin: "http://localhost:8787" });
    const { status, headers } = await browser.get("/console/billing?credits=7");
    expect([status, headers.get("location")]).toEqual([307, `${TEST_ORIGIN}/console/billing?credits=7`]);
    for (const origin of ["http://evil.example:8787", "http://localhost:9000"]) {
      const page = await fixture.openBrowser({ origin }).get("/console//evil.example");
      expect([page.status, page.headers.get("location")]).toEqual([200, null]);
    }
  });
});

describe("the route of a request in the log", () => {
  test("is the name of an existing query or command, or else /console", () => {
    const console = fixture.openConsole();
    const routeOf = (method: string, path: string) =>
      console.routeOf(new Request(`${TEST_ORIGIN}${path}`, { method }));
    expect(routeOf("GET", "/console/api/key.list?input=%7B%7D")).toBe("/console/api/key.list");
    expect(routeOf("POST", "/console/api/key.create")).toBe("/console/api/key.create");
    expect(routeOf("GET", "/console/api/request.export")).toBe("/console/api/request.export");
    expect(routeOf("POST", "/console/play/api-v1-chat")).toBe("/console/play/api-v1-chat");
    for (const [method, path] of [
      ["GET", "/console/keys"],
      ["GET", "/console/api/key.create"],
      ["PUT", "/console/api/key.list"],
      ["POST", "/console/api/nothing"],
      ["GET", "/console/api/toString"],
      ["POST", "/console/play/anything"],
    ] as const) {
      expect([path, routeOf(method, path)]).toEqual([path, "/console"]);
    }
  });
});

describe("a file", () => {
  test("is cached for ever only if its name changes with its content", async () => {
    const browser = fixture.openBrowser();
    const { text: page } = await browser.get("/console");
    const [script = "", sheet = ""] = [/src="([^"]+)"/, /rel="stylesheet" href="([^"]+)"/].map(
      (pattern) => pattern.exec(page)?.[1],
    );
    const { headers: ofSheet, text: styles } = await browser.get(sheet);
    const font = /url\("?([^")]+\.woff2)/.exec(styles)?.[1] ?? "";
    const { headers: ofScript } = await browser.get(script);
    const { status, headers: ofFont } = await browser.get(font);
    const kept = [ofScript, ofSheet, ofFont].map((headers) => headers.get("cache-control"));
    const forEver = "public, max-age=31536000, immutable";
    expect([status, ...kept]).toEqual([200, forEver, forEver, "public, max-age=86400"]);
  });
});

describe("a query that fails", () => {
  test("is 503 and says that the database is not available, if it is not", async () => {
    const db = connectDatabase({ url: fixture.db.url, poolSize: 1, log: silentLog });
    await db.close();
    const browser = fixture.openBrowser({ console: fixture.openConsole({ db }) });
    browser.cookies.set(SESSION, (await fixture.signIn(owner.email)).cookies.get(SESSION) ?? "");
    const { status, headers, problem } = await browser.query("session");
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(problem?.message).toBe("The database is not available. Try again in a moment.");
  });

  test("is 500 with a reference and no details, if it is our fault", async () => {
    const browser = await fixture.signIn(owner.email);
    await fixture.db.pool.query("alter table invitation rename to invitation_away");
    const { status, problem } = await browser.query("member.list");
    await fixture.db.pool.query("alter table invitation_away rename to invitation");
    expect(status).toBe(500);
    expect(problem?.message).toMatch(/reference: [0-9a-f-]{36}$/);
    expect(JSON.stringify(problem)).not.toMatch(/invitation|relation|Error|node_modules|\.ts/);
  });
});
