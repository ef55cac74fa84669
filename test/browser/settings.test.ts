import { expect, test } from "bun:test";
import { until } from "../../gateway/src/identity/testing.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

const HOLDS_WITHIN_MS = 1_000;

describeInBrowser("the settings", (console) => {
  test("of two admins who rename concurrently, the second sees the other's name and can save again", async () => {
    const organization = await console.gateway.found();
    const first = await console.openAs(organization, "admin", "/settings");
    const second = await console.openAs(organization, "admin", "/settings");
    await first.getByLabel("Name", { exact: true }).waitFor();
    expect(await first.getByRole("button", { name: "Save" }).count()).toBe(0);
    await expectAccessible(first);
    await first.getByLabel("Name", { exact: true }).fill("Theirs");
    await second.getByLabel("Name", { exact: true }).fill("Mine");
    await first.getByRole("button", { name: "Save" }).click();
    await first.getByText("Saved.").waitFor();
    const looked = second.waitForResponse((response) => response.url().includes("/api/organization.get"));
    await second.getByRole("button", { name: "Save" }).click();
    await second.getByText("the name is “Theirs” now").waitFor();
    expect(await second.getByLabel("Name", { exact: true }).inputValue()).toBe("Mine");
    await looked;
    await second.getByRole("button", { name: "Save" }).click();
    await second.getByText("Saved.").waitFor();
    const found = await console.gateway.services.identity.organizations.find(organization.id);
    expect(found?.name).toBe("Mine");
  });

  test("unsaved changes are discarded by a link, by Back or by closing the page only after a question", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/members");
    await page.getByRole("link", { name: "Settings" }).click();
    const name = page.getByLabel("Name", { exact: true });
    const question = page.getByRole("heading", { name: "Leave without saving?" });
    const isUnloadAsked = () =>
      page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
    await name.waitFor();
    expect(await isUnloadAsked()).toBe(false);
    await name.fill("Not saved yet");
    expect(await isUnloadAsked()).toBe(true);
    await page.getByRole("link", { name: "Models" }).click();
    await question.waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stay" }).click();
    for (const leave of [false, true]) {
      expect(await name.inputValue()).toBe("Not saved yet");
      await page.goBack();
      await question.waitFor();
      expect(new URL(page.url()).pathname).toBe("/console/settings");
      await page.getByRole("button", { name: leave ? "Discard and leave" : "Stay" }).click();
    }
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/members");
    expect(await isUnloadAsked()).toBe(false);
    // Once saved, there is nothing to ask about.
    await page.getByRole("link", { name: "Settings" }).click();
    await name.fill("Saved");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Models" }).click();
    await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
  });

  test("the chosen efficiency is saved", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/settings", { ...PHONE, colorScheme: "dark" });
    await page.getByRole("radio", { name: /^Structural/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved. It applies to new calls").waitFor();
    await page.reload();
    expect(await page.getByRole("radio", { name: /^Structural/ }).isChecked()).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
  });

  test("an owner deactivates by typing the short name; calls are refused then; admins see no such button", async () => {
    const organization = await console.gateway.found();
    const { origin } = console.gateway;
    const admin = await console.openAs(organization, "admin", "/settings");
    await admin.getByRole("heading", { name: "Limits" }).waitFor();
    expect(await admin.getByRole("heading", { name: "Deactivate" }).count()).toBe(0);
    const page = await console.openAs(organization, "owner", "/settings");
    await page.getByRole("button", { name: /^Deactivate/ }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Deactivate", exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${organization.slug} to confirm`).fill(organization.slug);
    await expectAccessible(page);
    await confirm.click();
    await page.getByRole("alert").getByText(`${organization.slug} is inactive.`).waitFor();
    await until(
      async () => (await callChat(origin, organization.key)).body.error?.code === "org_inactive",
      HOLDS_WITHIN_MS,
    );
  });

  test("are not shown to members", async () => {
    const page = await console.openAs(await console.gateway.found(), "member", "/settings");
    await page.getByText("For owners and admins").waitFor();
    expect(await page.getByRole("link", { name: "Settings" }).count()).toBe(0);
  });
});
