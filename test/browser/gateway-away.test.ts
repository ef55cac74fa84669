import { expect, test } from "bun:test";
import { expectAccessible } from "./accessibility.ts";
import { choosePage, describeInBrowser } from "./browser.ts";

const SCRIPTS = "**/console/files/*.js";

const NOT_FETCHED = /Failed to load resource|Failed to fetch dynamically imported module|: unreachable: /;

describeInBrowser("a page that is opened while the gateway is unreachable", (console) => {
  test("loads without a reload once the network is back", async () => {
    console.forgive(NOT_FETCHED);
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.evaluate("document.body.dataset.kept = 'yes'");
    await page.context().setOffline(true);
    await choosePage(page, "Members");
    const notice = page.getByRole("alert").filter({ hasText: "This page could not be loaded." });
    await notice.getByText("The gateway does not answer.").waitFor();
    await notice.getByRole("button", { name: "Try again" }).click();
    await notice.getByText("The gateway does not answer.").waitFor();
    await choosePage(page, "Playground");
    await notice.getByText("The gateway does not answer.").waitFor();
    // Recovers by itself when the network is back.
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
    await choosePage(page, "Members");
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(await page.evaluate("document.body.dataset.kept")).toBe("yes");
  });

  test("reports a lost connection if the gateway still has the same code", async () => {
    console.forgive(NOT_FETCHED);
    const page = await console.openAs(await console.gateway.found(), "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.route(SCRIPTS, (route) => route.abort());
    await choosePage(page, "Playground");
    const notice = page.getByRole("alert").filter({ hasText: "This page could not be loaded." });
    await notice.getByText("The connection was lost.").waitFor();
    await expectAccessible(page);
    await page.unroute(SCRIPTS);
    await notice.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
  });

  test("reports a possible update if the gateway has another script by now", async () => {
    console.forgive(NOT_FETCHED);
    const page = await console.openAs(await console.gateway.found(), "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.route("**/console", (route) => route.fulfill({ body: "<script src=/console/files/new.js>" }));
    await page.route(SCRIPTS, (route) => route.abort());
    await choosePage(page, "Members");
    await page.getByRole("alert").getByText("Bursar may have been updated").waitFor();
  });

  test("loads by itself once the gateway answers", async () => {
    console.forgive(NOT_FETCHED);
    const page = await console.openAs(await console.gateway.found(), "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.clock.install();
    // The network stays up, so no event says that the gateway is back.
    await page.route("**/console/**", (route) => route.abort());
    await choosePage(page, "Members");
    await page.getByRole("alert").getByText("The gateway does not answer.").waitFor();
    await page.clock.runFor(6_000);
    await page.getByRole("alert").getByText("The gateway does not answer.").waitFor();
    await page.unroute("**/console/**");
    await page.clock.runFor(6_000);
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
  });
});
