import { expect, test } from "bun:test";
import { OPERATOR } from "../../gateway/src/identity/index.ts";
import { present } from "../../gateway/src/kit/index.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

describeInBrowser("the overview", (console) => {
  test("guides to the first call, then shows the call and the new balance without a reload", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("link", { name: "Open the playground" }).waitFor();
    await page.getByRole("link", { name: "Create a key" }).waitFor();
    expect(await textOf(page.locator("pre"))).toStartWith(`curl ${console.gateway.origin}/functions/v1/`);
    await page.getByText("10,000 credits to spend").waitFor();
    await expectAccessible(page);

    const { body } = await callChat(console.gateway.origin, organization.key);
    await page.getByRole("heading", { name: "Newest requests" }).waitFor();
    await page.getByText("9,999 credits to spend").waitFor();
    await page.getByRole("img", { name: /^Credits by day/ }).waitFor();
    // Days are in UTC for everybody, so the page says so.
    await page.getByRole("heading", { name: "Credits by day (UTC)" }).waitFor();
    await page.getByText("Spent today (UTC)").waitFor();
    await page.getByRole("row", { name: /sandbox-chat/ }).click();
    await page.getByRole("dialog", { name: "Receipt" }).getByText(body.request_id).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/usage/${body.request_id}`);
  });

  test("selecting text in a row or clicking it with a modifier key does not open it; a plain click does", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner");
    // Once the bars are drawn, nothing moves any more.
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    const model = page.locator("td.which .clip");
    await model.scrollIntoViewIfNeeded();
    const box = present(await model.boundingBox(), "a place of the name");
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + 1, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 1, middle, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate("getSelection().toString()")).toContain("sandbox");
    expect(page.url()).toEndWith("/console");
    const state = page.locator("td.state");
    await state.click({ modifiers: ["ControlOrMeta"] });
    expect(page.url()).toEndWith("/console");
    await state.click();
    await page.getByRole("dialog", { name: "Receipt" }).waitFor();
  });

  test("shows a member only their own usage", async () => {
    const organization = await console.gateway.found();
    const userId = await organization.addMember("ada@example.com", "member");
    const { origin } = console.gateway;
    await callChat(origin, organization.key);
    await callChat(origin, organization.key);
    await callChat(origin, organization.key, { "x-member-user-id": userId });
    const page = await console.openFor("ada@example.com", "", { ...PHONE, colorScheme: "dark" });
    await page.getByRole("heading", { name: "Your newest requests" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect(await textOf(page.locator(".stat").first())).toContain("1 request");
    await page.getByText("9,997 credits to spend").waitFor();
    expect(await page.getByText("a day, this lasts").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
  });

  test("warns of no credits, few credits and an inactive organization", async () => {
    const poor = await console.gateway.found({ credits: 0 });
    const empty = await console.openAs(poor, "admin");
    await empty.getByText("No credits left.").waitFor();
    await empty.getByRole("alert").getByRole("link", { name: "Add credits" }).waitFor();
    // None of the other first steps is possible without credits.
    expect(await textOf(empty.locator(".steps h3").first())).toBe("Add credits");
    await expectAccessible(empty);
    const low = await console.openAs(await console.gateway.found({ credits: 900 }), "member");
    await low.getByText("Credits are running low.").waitFor();
    await low.getByRole("link", { name: "See whom to ask" }).waitFor();
    const closed = await console.gateway.found();
    await console.gateway.services.identity.organizations.update({
      organizationId: closed.id,
      active: false,
      actor: OPERATOR,
    });
    const inactive = await console.openAs(closed, "owner", "", { colorScheme: "dark" });
    await inactive.getByText("is inactive.").waitFor();
    await expectAccessible(inactive);
  });
});
