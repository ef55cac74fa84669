import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./browser.ts";

describeInBrowser("the code of a page", (console) => {
  /** Whoever was here before, signed in, is expected to be still. */
  async function openAgain(path?: string): Promise<Page> {
    const page = await console.openAs(await console.gateway.found(), "admin", path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  }

  test("is requested while the session is still being fetched", async () => {
    const page = await openAgain();
    const code = page.waitForRequest(/\/console\/files\/keys-\w+\.js$/);
    await page.route("**/console/api/session", async (route) => {
      await code;
      await route.continue();
    });
    await page.goto("/console/keys");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  });

  test("is requested on the first visit without a probe, and that of the chart without the report", async () => {
    const page = await openAgain();
    await page.route("**/console/icon.svg", () => {});
    const code = page.waitForRequest(/\/console\/files\/day-chart-\w+\.js$/);
    await page.route("**/console/api/usage.overview", async (route) => {
      await code;
      await route.continue();
    });
    await page.goto("/console");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
  });

  test("is requested when its link is pointed at", async () => {
    const page = await openAgain("/keys");
    const code = page.waitForRequest(/\/console\/files\/members-\w+\.js$/);
    await page.getByRole("link", { name: "Members" }).hover();
    await code;
  });

  test("is not requested before somebody is signed in", async () => {
    const page = await console.open("/keys");
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.reload();
    await page.getByLabel("Email").waitFor();
    expect(requested.filter((url) => /\/files\/keys-/.test(url))).toEqual([]);
    expect(requested.some((url) => url.endsWith("/console/api/session"))).toBe(true);
  });

  test("is run as soon as it arrives, on the first visit and by the menu", async () => {
    const page = await openAgain();
    // Whatever waits for a timer of a tenth of a second or more is never shown.
    await page.addInitScript(() => {
      const original = window.setTimeout;
      window.setTimeout = ((run: () => void, ms = 0) =>
        ms >= 100 ? 0 : original(run, ms)) as unknown as typeof window.setTimeout;
    });
    await page.goto("/console/keys");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(page.url()).toEndWith("/console/members");
  });

  test("of the API reference draws it in the browser's colours and asks nothing elsewhere", async () => {
    const page = await console.open("", { colorScheme: "dark" });
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(console.gateway.origin)) elsewhere.push(request.url());
    });
    await page.goto(`${console.gateway.origin}/docs`);
    await page.locator("body.dark-mode").waitFor();
    await page.getByRole("link", { name: "Chat completion" }).first().waitFor();
    expect(elsewhere).toEqual([]);
  });
});
