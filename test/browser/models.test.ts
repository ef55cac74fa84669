import { expect, test } from "bun:test";
import { until } from "../../gateway/src/identity/testing.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

/** A change takes effect on every node within a second. */
const HOLDS_WITHIN_MS = 1_000;

describeInBrowser("the models", (console) => {
  test("a model that is switched off is refused to callers, and served again once switched on", async () => {
    console.forgive(/status of 403/);
    const organization = await console.gateway.found();
    const open = await console.openAs(organization, "member", "/playground", PHONE);
    const choice = open.getByRole("combobox", { name: "Model" });
    await choice.selectOption("sandbox-chat");
    const { origin } = console.gateway;
    const page = await console.openAs(organization, "admin", "/models");
    const card = page.getByRole("article", { name: "Sandbox Chat" });
    await card.getByText("1 credit per answer").waitFor();
    await expectAccessible(page);
    expect((await callChat(origin, organization.key)).status).toBe(200);
    await card.getByRole("switch", { checked: true }).click();
    await card.getByText("Off", { exact: true }).waitFor();
    await until(async () => (await callChat(origin, organization.key)).status === 403, HOLDS_WITHIN_MS);
    // In a page where the model was already chosen.
    await open.getByRole("textbox", { name: "Message" }).fill("hello");
    await open.keyboard.press("Enter");
    // There is no other model; the text entered is kept nevertheless.
    await open.getByText("No model for this").waitFor();
    await open.getByText("Sandbox Chat has been switched off. Choose another model.").waitFor();
    await expectAccessible(open);
    await page.reload();
    await card.getByRole("switch", { checked: false }).click();
    await page.getByText("Sandbox Chat can be called again.").waitFor();
    await until(async () => (await callChat(origin, organization.key)).status === 200, HOLDS_WITHIN_MS);
  });

  test("can be searched and filtered by kind, and members have no switches", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "member", "/models", { ...PHONE, colorScheme: "dark" });
    await page.getByRole("article").first().waitFor();
    expect(await page.getByRole("switch").count()).toBe(0);
    const told = (words: RegExp) => page.getByRole("status").filter({ hasText: words });
    await page.getByRole("radio", { name: "Images" }).check();
    await page.getByRole("article", { name: "Sandbox Image" }).waitFor();
    await told(/^1 model$/).waitFor();
    expect(await page.getByRole("article", { name: "Sandbox Chat" }).count()).toBe(0);
    await page.getByRole("radio", { name: "All" }).check();
    await page.getByRole("searchbox", { name: "Search models" }).fill("nothing is called like this");
    await page.getByRole("heading", { name: "No matching model" }).waitFor();
    await told(/^No matching model$/).waitFor();
    await page.getByRole("searchbox", { name: "Search models" }).fill("svc-fast");
    await page.getByRole("article", { name: "Sandbox Chat" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
  });
});
