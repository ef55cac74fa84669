import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { comeBackUntil, describeInBrowser, signIn } from "./browser.ts";

describeInBrowser("two windows of one browser", (console) => {
  async function ofTwo(email: string) {
    const [shown, chosen] = [await console.gateway.found(), await console.gateway.found()];
    for (const one of [shown, chosen]) await one.addMember(email, "owner");
    await shown.mint({ name: "key of the shown one" });
    const page = await console.openFor(email, "/keys");
    const select = page.getByRole("combobox", { name: "Organization" });
    await select.selectOption(shown.id);
    await page.getByText("key of the shown one", { exact: true }).waitFor();
    return { shown, chosen, page, select };
  }

  async function chooseInAnotherWindow(page: Page, id: string): Promise<void> {
    const other = await page.context().newPage();
    await other.goto("/console");
    await other.getByRole("combobox", { name: "Organization" }).selectOption(id);
    await other.waitForFunction((wanted) => document.querySelector("select")?.value === wanted, id);
    await other.close();
  }

  test("a command is not executed in an organization chosen in the other window, and the page says so", async () => {
    const { chosen, page, select } = await ofTwo("two-windows@example.com");
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("laptop");
    await chooseInAnotherWindow(page, chosen.id);
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("status").getByText("Nothing was done").waitFor();
    await page.waitForFunction((id) => document.querySelector("select")?.value === id, chosen.id);
    expect(await select.inputValue()).toBe(chosen.id);
    expect(await page.getByText("key of the shown one", { exact: true }).count()).toBe(0);
    const keys = await console.gateway.services.identity.keys.list(chosen.id);
    expect(keys.map(({ name }) => name)).toEqual(["test"]);
  });

  test("a chat is not charged to an organization chosen in the other window", async () => {
    console.forgive(/status of 403/);
    const { shown, chosen, page } = await ofTwo("two-chats@example.com");
    await page.getByRole("link", { name: "Playground" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("hello");
    await chooseInAnotherWindow(page, chosen.id);
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Nothing was done").waitFor();
    for (const { id } of [shown, chosen]) {
      expect((await console.gateway.services.ledger.account(id)).anytimeAvailable as number).toBe(10_000);
    }
  });

  test("an export is of the organization that the page shows, or nothing is saved and the page switches", async () => {
    console.forgive(/status of 403/);
    const { shown, chosen, page } = await ofTwo("two-exports@example.com");
    await page.getByRole("link", { name: "Usage" }).click();
    const exportButton = page.getByRole("button", { name: "Export CSV" });
    // So that the wait for the download does not have to cover the loading of the page, too.
    await exportButton.waitFor();
    const saved = async () => {
      const [download] = await Promise.all([page.waitForEvent("download"), exportButton.click()]);
      return (await download.failure()) ?? download.suggestedFilename();
    };
    expect(await saved()).toStartWith(`usage-${shown.slug}-`);
    await chooseInAnotherWindow(page, chosen.id);
    await exportButton.click();
    await page.getByRole("status").getByText("Nothing was done").waitFor();
    await page.waitForFunction((id) => document.querySelector("select")?.value === id, chosen.id);
    expect(await saved()).toStartWith(`usage-${chosen.slug}-`);
  });

  test("data of one organization is not shown under the name of the next", async () => {
    const { chosen, page, select } = await ofTwo("two-caches@example.com");
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/console/api/key.list*", async (route) => {
      await released;
      await route.continue();
    });
    await chooseInAnotherWindow(page, chosen.id);
    await comeBackUntil(page, async () => (await select.inputValue()) === chosen.id);
    expect(await page.getByText("key of the shown one", { exact: true }).count()).toBe(0);
    release();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("a secret stays until it is copied, then the page switches; it disappears for another user", async () => {
    const { shown, chosen, page, select } = await ofTwo("two-secrets@example.com");
    const secret = page.locator("dialog pre").first();
    const asked: string[] = [];
    page.on("response", (response) => asked.push(new URL(response.url()).pathname));
    const isAskedAgain = async () => asked.filter((path) => path === "/console/api/session").length > 1;
    await page.getByRole("button", { name: "Replace the secret of key of the shown one" }).click();
    await page.getByRole("button", { name: "Replace the secret", exact: true }).click();
    await secret.waitFor();
    await chooseInAnotherWindow(page, chosen.id);
    asked.length = 0;
    await comeBackUntil(page, isAskedAgain);
    expect(await secret.count()).toBe(1);
    expect(await page.evaluate("document.querySelector('select').value")).toBe(shown.id);
    await page.getByRole("button", { name: "Copy the key" }).click();
    await page.waitForFunction((id) => document.querySelector("select")?.value === id, chosen.id);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.getByText("key of the shown one", { exact: true }).count()).toBe(0);
    // But if another user signs in, the secret disappears.
    await select.selectOption(shown.id);
    await page.getByRole("button", { name: "Replace the secret of key of the shown one" }).click();
    await page.getByRole("button", { name: "Replace the secret", exact: true }).click();
    await secret.waitFor();
    await chosen.addMember("after-two@example.com", "member");
    await signIn(page.context(), console.gateway, "after-two@example.com");
    await comeBackUntil(page, async () => (await page.getByText("after-two@example.com").count()) > 0);
    expect(await secret.count()).toBe(0);
  });

  test("a user who signs in after another one sees nothing of theirs", async () => {
    const organization = await console.gateway.found();
    await organization.addMember("before@example.com", "owner");
    await organization.addMember("after@example.com", "member");
    const page = await console.openFor("before@example.com", "/account");
    await page.getByText("This device").first().waitFor();
    await page.route("**/console/api/sessions*", () => {});
    await signIn(page.context(), console.gateway, "after@example.com");
    await comeBackUntil(page, async () => (await page.getByText("after@example.com").count()) > 0);
    expect(await page.getByText("This device").count()).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
