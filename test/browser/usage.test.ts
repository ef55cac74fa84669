import { expect, test } from "bun:test";
import { startWorking, submitVideo } from "../faults/video-client.ts";
import type { TestGateway } from "../harness.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

const VIDEO = { model: "sandbox-video", duration: 1 };
const SCRIPT = `<img src=x onerror="document.title='run'">`;

const PAID_WORDS = ["Held before it started", "Charged from anytime credits", "1 credit per answer"];
const CACHE_WORDS = ["12,000, of which 11,000 cached", "Saved 29 credits, net"];

/** As if a provider had reported it. */
async function measure({ services }: TestGateway, orgId: string): Promise<void> {
  await services.db.pool.query(
    `update requests set input_tokens = 12000, measured = '{"cached_input_tokens":11000,"cache_saved":29700000,"n":3}' where org_id = $1`,
    [orgId],
  );
}

describeInBrowser("usage", (console) => {
  test("can be split, filtered and sorted, and its URL restores filter and order", async () => {
    const organization = await console.gateway.found();
    const { origin } = console.gateway;
    const second = await organization.mint({ name: SCRIPT });
    for (const key of [organization.key, second.key, second.key]) await callChat(origin, key);
    const page = await console.openAs(organization, "owner", "/usage");
    await page.getByRole("img", { name: /^Credits by day/ }).waitFor();
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    const thirdRow = page.locator(".requests tbody tr").nth(2);
    await thirdRow.waitFor();
    await expectAccessible(page);

    await page.getByRole("radio", { name: "Key" }).check();
    const legend = page.locator(".legend");
    await legend.getByText(SCRIPT).waitFor();
    await page.getByRole("radio", { name: "Table" }).check();
    await page.getByRole("region", { name: "Credits by day" }).waitFor();
    await expectAccessible(page);
    await legend.getByRole("button", { name: SCRIPT }).click();
    await thirdRow.waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("keyId")).toBe(second.keyId);
    await page.getByRole("columnheader", { name: "Credits" }).getByRole("button").click();
    await page.locator('th[aria-sort="descending"]', { hasText: "Credits" }).waitFor();
    await page.reload();
    await page.locator('th[aria-sort="descending"]', { hasText: "Credits" }).waitFor();
    expect(await page.locator(".requests tbody tr").count()).toBe(2);
    const told = (words: string) => page.getByRole("status").filter({ hasText: words });
    await told("2 requests, 2 credits").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await thirdRow.waitFor();
    await told("3 requests, 3 credits").waitFor();
    expect(await page.title()).toBe("Usage · Bursar");
  });

  test("suggests a next step if there are no calls, but not if only a filter hides them", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/usage");
    await page.getByText("Nothing was called on these days.").waitFor();
    await page.getByText("No requests", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Create a key" }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize(PHONE.viewport);
    // Filters reserve their space while their options are loading, and only then.
    expect((await page.locator(".usage-filters").boundingBox())?.height).toBeLessThan(60);
    await expectAccessible(page);
    await page.goto("/console/usage?model=sandbox-chat");
    await page.getByText("No requests on these days match.").waitFor();
    await page.getByRole("link", { name: "Open the playground" }).waitFor({ state: "detached" });
  });

  test("prints without controls and on white, with the period", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/usage", { colorScheme: "dark" });
    const time = page.locator("time.when");
    expect(await textOf(time)).toMatch(/^\d\d:\d\d:\d\d$/);
    await page.locator(".recharts-bar-rectangle path").first().waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await time.getAttribute("title")).toMatch(/^\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d \S+$/);
    const shown =
      await page.evaluate(`[...document.querySelectorAll("aside, header.topbar, button, select, input, nav")]
      .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))`);
    await page.locator(".on-paper:visible", { hasText: / · 30 days · \d{1,2} \w+ \d{4}$/ }).waitFor();
    // A sortable table heading is a button, but belongs on paper.
    expect((shown as string[]).filter((one) => !/class="(?:sort|link)\b/.test(one))).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: "screen" });
    await page.locator("a.receipt-link").click();
    await page.getByRole("dialog", { name: "Receipt" }).waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
  });

  test("a receipt opens and closes by keyboard, over the same list, and explains the charge", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    await measure(console.gateway, organization.id);
    const page = await console.openAs(organization, "admin", "/usage?days=7");
    const link = page.locator("a.receipt-link");
    await link.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Receipt" });
    for (const words of [...PAID_WORDS, "3 answers", ...CACHE_WORDS]) {
      await dialog.getByText(words, { exact: true }).waitFor();
    }
    expect(await textOf(dialog)).toContain("sandbox/sandbox-chat");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).toEndWith("/console/usage?days=7");
    const wrong = await console.openAs(organization, "admin", "/usage/nonsense");
    await wrong.getByText("There is no such request.").waitFor();
  });

  test("a job is shown as running, and then as failed without a reload", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/usage");
    await page.getByRole("heading", { name: "No requests" }).waitFor();
    // The job must not proceed before the page was seen to show it running. It is told to fail, so that no video is
    // rendered.
    await console.gateway.services.videoWorker?.stop();
    const { origin } = console.gateway;
    const told = await submitVideo({ origin, of: organization }, { ...VIDEO, prompt: "[sandbox:fail] Rain" });
    expect(told.status).toBe(200);
    await page.reload();
    const row = page.locator(".requests tbody tr");
    await row.getByText("Running").waitFor();
    await row
      .getByText(/^[1-9]\d* s$/)
      .first()
      .waitFor();
    await expectAccessible(page);
    const working = startWorking(console.gateway);
    await row.getByText("Failed").waitFor({ timeout: 90_000 });
    await working.stop();
  }, 120_000);

  test("is exported as CSV, and no cell is a formula", async () => {
    const organization = await console.gateway.found();
    const { key } = await organization.mint({ name: "=1+1" });
    await callChat(console.gateway.origin, key);
    const page = await console.openAs(organization, "owner", "/usage?days=7");
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^usage-.+-to-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await Bun.file(await download.path()).text()).split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(",'=1+1,");
  });

  test("shows a member only their own requests, on a phone too", async () => {
    const organization = await console.gateway.found();
    const userId = await organization.addMember("alan@example.com", "member");
    await callChat(console.gateway.origin, organization.key);
    await callChat(console.gateway.origin, organization.key, { "x-member-user-id": userId });
    const page = await console.openFor("alan@example.com", "/usage?split=key&days=1", {
      ...PHONE,
      colorScheme: "dark",
    });
    await page.locator(".requests tbody tr").waitFor();
    expect(await page.locator(".requests tbody tr").count()).toBe(1);
    for (const name of ["Key", "Member"]) expect(await page.getByRole("radio", { name }).count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
  });
});
