import { expect, test } from "bun:test";
import { expectAccessible } from "./accessibility.ts";
import { choosePage, describeInBrowser, PHONE } from "./browser.ts";

const SCRIPTS = "**/console/files/*.js";
const NOT_FETCHED = /Failed to load resource|Failed to fetch dynamically imported module/;

describeInBrowser("the shell", (console) => {
  test("a page that cannot be loaded says so and offers to reload, and loaded pages still work", async () => {
    console.forgive(NOT_FETCHED);
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    // As after an upgrade: the script names that this tab knows no longer exist.
    await page.route(SCRIPTS, (route) => route.fulfill({ status: 404 }));
    await choosePage(page, "Members");
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await page.getByRole("alert").getByText("Bursar may have been updated").waitFor();
    await expectAccessible(page);
    await choosePage(page, "Overview");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await choosePage(page, "Playground");
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await choosePage(page, "Overview");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await choosePage(page, "Members");
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await page.unroute(SCRIPTS);
    await page.getByRole("alert").getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
  });

  test("a script error is reported as a problem of the browser, not as an update", async () => {
    console.forgive(/TypeError/);
    const page = await console.openAs(await console.gateway.found(), "owner");
    await page.route("**/console/api/key.list", (route) => route.fulfill({ json: { ok: { keys: [null] } } }));
    await choosePage(page, "API keys");
    await page.getByRole("alert").getByText("Something went wrong in your browser.").waitFor();
  });

  test("a local gateway is called even if the browser is offline; a failed change is not sent later", async () => {
    console.forgive(NOT_FETCHED);
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await choosePage(page, "Settings");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Without a network");
    await name.press("Enter");
    await page.getByText("Saved.").waitFor();
    // The change cannot be sent now, and must not be sent later.
    await page.context().setOffline(true);
    await name.fill("Never");
    await name.press("Enter");
    await page.getByText("The gateway does not answer.").waitFor();
    await page.context().setOffline(false);
    await choosePage(page, "Overview");
    await page.getByRole("button", { name: "Discard and leave" }).click();
    await page.getByRole("main").getByText("Without a network").waitFor();
  });

  test("an unknown URL says so, and the sign-up page leads a signed-in user to the overview", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/nosuchpage");
    await page.getByRole("heading", { name: "Nothing here", level: 1 }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    for (const path of ["/billing/nothing", "/playground/nothing"]) {
      await page.goto(`/console${path}`);
      await page.getByRole("heading", { name: "Nothing here", level: 1 }).waitFor();
    }
    await page.goto(`/console/usage/${crypto.randomUUID()}`);
    await page.getByText("There is no such request.").waitFor();
    await page.getByRole("button", { name: "Show usage" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto("/console/sign-up");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
  });

  test("the chosen colours also apply to the browser's own bars, even after a reload", async () => {
    const page = await console.openAs(await console.gateway.found(), "owner");
    const bars = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
          .filter(({ media }) => matchMedia(media).matches)
          .map(({ content }) => content),
      );
    await page.getByRole("radio", { name: "Dark" }).check();
    expect(await bars()).toEqual(["#161d1a"]);
    await page.reload();
    await page.getByRole("radio", { name: "Auto" }).waitFor();
    expect(await bars()).toEqual(["#161d1a"]);
    await page.getByRole("radio", { name: "Auto" }).check();
    expect(await bars()).toEqual(["#ffffff"]);
  });

  test("on a phone, choosing a page and Escape close the menu, which has the focus while open", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "", PHONE);
    const open = page.getByRole("button", { name: "Open the menu" });
    const close = page.getByRole("button", { name: "Close the menu" });
    await open.click();
    await close.waitFor();
    await expectAccessible(page);
    expect(await page.evaluate("document.activeElement.closest('.sidebar') !== null")).toBe(true);
    await page.keyboard.press("Escape");
    await close.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Open the menu");

    await open.click();
    await choosePage(page, "Overview");
    await close.waitFor({ state: "detached" });

    await open.click();
    await choosePage(page, "Usage");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    expect(await close.count()).toBe(0);
  });

  test("the keyboard reaches nothing behind the open menu", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "", PHONE);
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("button", { name: "Close the menu" }).waitFor();
    const reached = new Set<unknown>();
    for (let pressed = 0; pressed < 30; pressed++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate("document.activeElement.closest('main, .topbar, .skip') !== null"));
    }
    expect([...reached]).toEqual([false]);
  });

  test("a failed switch of the organization is reported, and the previous one stays chosen", async () => {
    const [one, two] = [await console.gateway.found(), await console.gateway.found()];
    await one.addMember("both@example.com", "owner");
    await two.addMember("both@example.com", "owner");
    const page = await console.openFor("both@example.com");
    const choice = page.getByLabel("Organization");
    const before = await choice.inputValue();
    await page
      .locator("aside")
      .getByText(/^\w+ plan$/)
      .waitFor();
    await page.route("**/console/api/choose-organization", (route) =>
      route.fulfill({ status: 404, json: { problem: { code: "not_found", message: "It was closed." } } }),
    );
    await choice.selectOption(before === one.id ? two.id : one.id);
    await page.getByRole("alert").getByText("It was closed.").waitFor();
    expect(await choice.inputValue()).toBe(before);
    await expectAccessible(page);
  });
});
