import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { comeBackUntil, describeInBrowser, PHONE } from "./browser.ts";

const PASSWORD = "four words of mine";
const UNSENT = "typed and not sent";

describeInBrowser("a session that ends", (console) => {
  async function openWithPassword(email: string, path: string, options = {}): Promise<Page> {
    const page = await console.openFor(email, "/account", options);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByLabel("Current password").waitFor();
    await page.goto(`/console${path}`);
    return page;
  }

  async function endSession(page: Page): Promise<void> {
    await page.context().clearCookies();
    const said = page.getByRole("heading", { name: "You were signed out" });
    await comeBackUntil(page, async () => (await said.count()) > 0);
  }

  async function signInAgain(page: Page): Promise<void> {
    const password = page.locator("[type=password]:focus");
    await password.fill(PASSWORD);
    await password.press("Enter");
    await page.getByRole("heading", { name: "You were signed out" }).waitFor({ state: "detached" });
  }

  test("keeps what was typed for the same user who signs in again", async () => {
    const organization = await console.gateway.found();
    await organization.addMember("typing@example.com", "owner");
    const page = await openWithPassword("typing@example.com", "/playground/chat");
    await page.getByRole("textbox", { name: "Message" }).fill(UNSENT);
    await page.getByRole("link", { name: "Settings" }).click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Not saved yet");
    await endSession(page);
    expect(await page.getByLabel("Email").inputValue()).toBe("typing@example.com");
    await expectAccessible(page);
    await page.emulateMedia({ media: "print" });
    expect(await name.isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press("Escape");
    await signInAgain(page);
    expect(await name.inputValue()).toBe("Not saved yet");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Playground" }).click();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe(UNSENT);
  });

  test("is noticed by a refused command, even in a dialog; signing in keeps the chosen organization", async () => {
    const [one, two] = [await console.gateway.found(), await console.gateway.found()];
    for (const each of [one, two]) await each.addMember("of-two@example.com", "owner");
    const page = await openWithPassword("of-two@example.com", "/keys", { ...PHONE, colorScheme: "dark" });
    const chosen = () =>
      page.evaluate<string>("document.querySelector('select[aria-label=Organization]')?.value");
    await page.getByRole("button", { name: "New key" }).first().waitFor();
    const other = (await chosen()) === one.id ? two : one;
    await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("combobox", { name: "Organization" }).selectOption(other.id);
    await page.waitForFunction(
      (id) => document.querySelector<HTMLSelectElement>("select")?.value === id,
      other.id,
    );
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Website");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    await expectAccessible(page);
    await signInAgain(page);
    expect(await chosen()).toBe(other.id);
    expect(await page.getByText("You are signed out").count()).toBe(0);
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Copy the key now").waitFor();
    const keys = await console.gateway.services.identity.keys.list(other.id);
    expect(keys.map(({ name }) => name)).toContain("Website");
  });

  test("shows nothing typed to another user who signs in on the page", async () => {
    const [mine, theirs] = [await console.gateway.found(), await console.gateway.found()];
    await mine.addMember("mine@example.com", "owner");
    await theirs.addMember("theirs@example.com", "owner");
    await openWithPassword("theirs@example.com", "");
    const page = await console.openFor("mine@example.com", "/playground/chat");
    await page.getByRole("textbox", { name: "Message" }).fill(UNSENT);
    await endSession(page);
    await page.getByLabel("Email").fill("theirs@example.com");
    await page.getByLabel("Password").focus();
    await signInAgain(page);
    await page.getByText("theirs@example.com").waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
  });

  test("keeps an unsent playground prompt, and leaves no error after signing in again", async () => {
    console.forgive(/status of 401/);
    const organization = await console.gateway.found();
    await organization.addMember("wishing@example.com", "owner");
    const page = await openWithPassword("wishing@example.com", "/playground/chat");
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill(UNSENT);
    await page.context().clearCookies();
    await message.press("Enter");
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    await signInAgain(page);
    expect(await message.inputValue()).toBe(UNSENT);
    expect(await page.locator(".said").count()).toBe(0);
    for (const [kind, thing] of [
      ["Image", "image"],
      ["Video", "video"],
    ] as const) {
      await page
        .getByRole("navigation", { name: "What to create" })
        .getByRole("link", { name: kind })
        .click();
      await page.getByLabel(`What the ${thing}`).fill("a boat");
      await page.context().clearCookies();
      await page.getByRole("button", { name: `Create the ${thing}` }).click();
      await page.getByRole("heading", { name: "You were signed out" }).waitFor();
      await signInAgain(page);
    }
    expect(await page.getByText("You are signed out").count()).toBe(0);
  });

  test("by signing out leads to the sign-in page; a failed sign-out is reported", async () => {
    console.forgive(/Failed to load resource/);
    const page = await console.openAs(await console.gateway.found(), "owner", "/settings");
    await page.route("**/console/api/sign-out", (route) => route.fulfill({ status: 503 }));
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("alert").getByText("You may still be signed in.").waitFor();
    await expectAccessible(page);
    await page.unroute("**/console/api/sign-out");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  });
});
