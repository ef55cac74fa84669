import { afterAll, afterEach, beforeAll, describe, expect } from "bun:test";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Role } from "../../gateway/src/identity/index.ts";
import { assert } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { chromiumForTests, launchChromium } from "./chromium.ts";
import { createComplaints } from "./watched-page.ts";

/**
 * Tests of the console in a real browser against a real gateway, both started for this test file alone:
 *
 *     describeInBrowser("the keys page", (console) => {
 *       test("mints a key that works", async () => {
 *         const organization = await console.gateway.found();
 *         const page = await console.openAs(organization, "admin", "/keys");
 *         await page.getByRole("button", { name: "New key" }).click();
 *       });
 *     });
 *
 * A page that logs an error to its console, throws, or violates the content security policy fails the test that opened
 * it. Everything that a test opens is closed after it.
 */
type ConsoleBrowser = {
  /** Available from `beforeAll` on; `found()` creates organizations, `services` gives access to the internals. */
  readonly gateway: TestGateway;
  /** A new browser context with nobody signed in. `path` is below `/console`. */
  open(path?: string, options?: PageOptions): Promise<Page>;
  /** A new browser context, signed in as a new member with that role. */
  openAs(organization: TestOrganization, role: Role, path?: string, options?: PageOptions): Promise<Page>;
  /** A new browser context, signed in as an existing member. */
  openFor(email: string, path?: string, options?: PageOptions): Promise<Page>;
  /** Ignores matching complaints until the test ends. */
  forgive(pattern: RegExp): void;
};

type PageOptions = Pick<
  BrowserContextOptions,
  "colorScheme" | "forcedColors" | "viewport" | "userAgent" | "isMobile" | "hasTouch"
>;

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

const START_LIMIT_MS = 150_000;
/** A page that needs longer is broken; the error then says what the test waited for. */
const WAIT_LIMIT_MS = 8_000;

const COME_BACK_MS = 50;

const chromium = await chromiumForTests();

/** `environment` is the gateway's. */
export function describeInBrowser(
  name: string,
  body: (console: ConsoleBrowser) => void,
  environment: Record<string, string> = {},
): void {
  describe.skipIf(chromium === null)(name, () => {
    const complaints = createComplaints();
    const contexts: BrowserContext[] = [];
    let gateway: TestGateway | undefined;
    let browser: Browser | undefined;
    let forgiven: RegExp[] = [];
    let people = 0;

    beforeAll(async () => {
      assert(chromium !== null, "a browser");
      [gateway, browser] = await Promise.all([startTestGateway(environment), launchChromium(chromium)]);
      // The first visit builds the console's bundle; that time should not count against a test.
      await (await fetch(`${gateway.origin}/console`)).arrayBuffer();
    }, START_LIMIT_MS);

    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      const heard = complaints.take().filter((line) => !forgiven.some((pattern) => pattern.test(line)));
      forgiven = [];
      expect(heard, "A page complained.").toEqual([]);
    });

    afterAll(async () => {
      await browser?.close();
      await gateway?.close();
    });

    function running(): TestGateway {
      assert(gateway !== undefined, "ask for the gateway inside of a test");
      return gateway;
    }

    async function newContext(options: PageOptions): Promise<BrowserContext> {
      assert(browser !== undefined, "open pages inside of a test");
      const baseURL = running().origin;
      const permissions = ["clipboard-read", "clipboard-write"];
      const context = await browser.newContext({ baseURL, permissions, reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(WAIT_LIMIT_MS);
      complaints.watch(context);
      contexts.push(context);
      return context;
    }

    async function openFor(email: string, path = "", options: PageOptions = {}): Promise<Page> {
      const context = await newContext(options);
      await signIn(context, running(), email);
      return openPage(context, path);
    }

    body({
      get gateway() {
        return running();
      },
      open: async (path = "", options = {}) => openPage(await newContext(options), path),
      openFor,
      async openAs(organization, role, path, options) {
        const email = `${role}-${++people}@example.com`;
        await organization.addMember(email, role);
        return openFor(email, path, options);
      },
      forgive: (pattern) => void forgiven.push(pattern),
    });
  });
}

/** The text in the document, regardless of how styles transform it. */
export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? "";
}

/** Through the menu, as users do, so that the page is not reloaded. */
export function choosePage(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
}

/** Simulates the user's return to the window, upon which a page checks who is signed in. */
export async function comeBackUntil(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) {
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await Bun.sleep(COME_BACK_MS);
  }
}

async function openPage(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`/console${path}`);
  return page;
}

/** Signs in by a one-time link, with the same request that the page makes. Replaces the current session, if any. */
export async function signIn(context: BrowserContext, gateway: TestGateway, email: string): Promise<void> {
  const link = await gateway.services.identity.members.link({ email, purpose: "sign-in" });
  assert(link !== null, `nobody has the address ${email}`);
  const session = await (await context.request.get("/console/api/session")).json();
  const answer = await context.request.post("/console/api/redeem-link", {
    data: { token: link.token },
    headers: { origin: gateway.origin, "x-console-token": session.ok.token },
  });
  assert(answer.ok(), `signing in as ${email}: ${answer.status()}`);
}
