import { expect, test } from "bun:test";
import { assert } from "../../gateway/src/kit/index.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE } from "./browser.ts";

const PASSWORD = "four words of mine";

describeInBrowser("signing in", (console) => {
  test("a one-time link works once, and a password that is then set works from then on", async () => {
    const organization = await console.gateway.found();
    await organization.addMember("first@example.com", "owner");
    const { members } = console.gateway.services.identity;
    const link = await members.link({ email: "first@example.com", purpose: "sign-in" });
    assert(link !== null, "a link");
    const page = await console.open(`/link/${link.token}`);
    await page.getByText("If it is for a new password, you choose that next.").waitFor();
    expect(await page.title()).toBe("Welcome · Bursar");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();

    await page.getByRole("link", { name: "first@example.com" }).click();
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByLabel("Current password").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();

    await page.getByLabel("Email").fill("first@example.com");
    await page.getByLabel("Password").fill("something else");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("Wrong email or password").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();

    const again = await console.open(`/link/${link.token}`);
    await again.getByRole("button", { name: "Continue" }).click();
    await again.getByText("no longer works").waitFor();
    await again.getByText("bin/bursar member link").waitFor();
    expect(await again.getByRole("button", { name: "Continue" }).count()).toBe(0);
    await expectAccessible(again);
    await again.getByRole("link", { name: "Go to sign-in" }).click();
    await again.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a sign-in page whose cookie has expired still signs in at the first try, and opens the wanted page", async () => {
    console.forgive(/status of 403/);
    const organization = await console.gateway.found();
    await organization.addMember("late@example.com", "owner");
    const early = await console.openFor("late@example.com", "/account");
    await early.getByLabel("New password").fill(PASSWORD);
    await early.getByRole("button", { name: "Save the password" }).click();
    await early.getByLabel("Current password").waitFor();
    const page = await console.open("/usage?days=7");
    await page.getByLabel("Email").fill("late@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.context().clearCookies();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    expect(page.url()).toBe(`${console.gateway.origin}/console/usage?days=7`);
  });

  test("a dead link leads a signed-in user to the console", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    for (const path of ["/link/none", "/sign-up/none"]) {
      await page.goto(`/console${path}`);
      expect(await page.getByText("is proven").count()).toBe(0);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("no longer works").waitFor();
      await page.getByText("You are signed in as owner-").waitFor();
      await page.getByRole("link", { name: "Go to the console" }).click();
      await page.getByRole("heading", { name: "First steps" }).waitFor();
    }
    await page.goto("/console/invitation/none");
    await page.getByText("no longer works").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Go to the console" }).click();
    // Without a link, the password is changed on the account page.
    await page.goto("/console/password");
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/account");
  });

  test("a URL that names a foreign address never leads away from our origin", async () => {
    const organization = await console.gateway.found();
    const page = await console.open("/account?next=https://evil.example//evil.example");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const owner = await console.openAs(organization, "owner", "/account?next=https://evil.example");
    await owner.getByRole("heading", { name: "Your account" }).waitFor();
    expect(new URL(owner.url()).origin).toBe(console.gateway.origin);
    await owner.goto("/console//evil.example");
    await owner.getByRole("navigation", { name: "Pages" }).waitFor();
    expect(new URL(owner.url()).origin).toBe(console.gateway.origin);
  });

  test("another device is listed on the account page and can be signed out there", async () => {
    const organization = await console.gateway.found();
    await organization.addMember("two@example.com", "member");
    const phone = await console.openFor("two@example.com", "", {
      ...PHONE,
      userAgent:
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36",
    });
    await phone.getByRole("button", { name: "Open the menu" }).waitFor();
    const desk = await console.openFor("two@example.com", "/account");
    await desk.getByText("This device").waitFor();
    await desk.getByRole("button", { name: "Sign out Chrome on Android" }).click();
    await desk.getByText("Chrome on Android is signed out.").waitFor();
    await phone.reload();
    await phone.getByRole("heading", { name: "Sign in" }).waitFor();
    await desk.getByRole("button", { name: "Sign out everywhere" }).click();
    await desk.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("a name is shown as saved, and signing out everywhere asks before discarding an unsaved one", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/account");
    // As pasted: invisible characters are not kept.
    await page.getByLabel("How others see you").fill("Ida\u200b Lovelace");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your name is saved.").waitFor();
    expect(await page.getByText("Changes are not saved yet.").count()).toBe(0);
    expect(await page.getByLabel("How others see you").inputValue()).toBe("Ida Lovelace");
    await page.getByLabel("How others see you").fill("Not saved yet");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("How others see you").inputValue()).toBe("Not saved yet");
    expect(await page.getByText("you need a new link to sign in again").count()).toBe(1);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("button", { name: "Discard and leave" }).click();
    await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  });
});

describeInBrowser(
  "with open sign-up",
  (console) => {
    test("a visitor creates an account and an organization and manages it", async () => {
      const page = await console.open();
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.getByLabel("Your name").fill("Ana");
      await page.getByLabel("Email").fill("ana@example.com");
      await page.getByLabel("Organization").fill("Ana & Co");
      await page.getByLabel("Password").fill("short");
      await expectAccessible(page);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Create the account" }).click();
      await page.getByRole("navigation", { name: "Pages" }).getByText("API keys").waitFor();
      await page.getByText("Ana & Co").first().waitFor();
      await page.getByText("free plan").waitFor();
    });

    test("a user without an organization sees how to get one again", async () => {
      const organization = await console.gateway.found();
      const userId = await organization.addMember("left@example.com", "member");
      const { members } = console.gateway.services.identity;
      await members.remove({ organizationId: organization.id, userId, actor: { kind: "operator" } });
      const page = await console.openFor("left@example.com");
      await page.getByText("does not belong to any organization").waitFor();
      await page.getByText("sign out and create an account with another email address").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("link", { name: "Create an account" }).waitFor();
    });
  },
  { BURSAR_SIGN_UP: "open" },
);
