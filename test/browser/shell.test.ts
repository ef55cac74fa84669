import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser } from "./browser.ts";

const SCRIPTS = "**/console/files/*.js";

function choosePage(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
}

describeInBrowser("the shell", (console) => {
  test("a page that cannot be loaded says so and offers to reload, and every other page still works", async () => {
    console.forgive(/Failed to load resource|Failed to fetch dynamically imported module/);
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    // As after an upgrade: the names that this tab knows are gone.
    await page.route(SCRIPTS, (route) => route.fulfill({ status: 404 }));
    await choosePage(page, "Members");
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await expectAccessible(page);
    await choosePage(page, "Overview");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await choosePage(page, "Playground");
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await choosePage(page, "Members");
    await page.unroute(SCRIPTS);
    await page.getByRole("alert").getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
  });
});
