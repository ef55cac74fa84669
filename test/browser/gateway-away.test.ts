import { expect, test } from "bun:test";
import { choosePage, describeInBrowser } from "./browser.ts";

const NOT_FETCHED = /Failed to load resource|Failed to fetch dynamically imported module/;

describeInBrowser("a page that is opened while the gateway is away", (console) => {
  test("is there at the next try, without a reload", async () => {
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
    // Comes by itself with the network.
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
    await choosePage(page, "Members");
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(await page.evaluate("document.body.dataset.kept")).toBe("yes");
  });

  test("comes by itself once it answers", async () => {
    console.forgive(NOT_FETCHED);
    const page = await console.openAs(await console.gateway.found(), "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.clock.install();
    // The network is there all the time: no event tells that the gateway is back.
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
