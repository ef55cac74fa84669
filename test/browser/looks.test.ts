import { expect, test } from "bun:test";
import type { Locator, Page, Route } from "playwright-core";
import { toneWave } from "../../sandbox/src/video/testing.ts";
import { publishTestAsset } from "../published-asset.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";

const NOT_FETCHED = /Failed to load resource/;

const stat = (page: Page, name: string) =>
  page.locator(".stat", { has: page.getByText(name, { exact: true }) }).locator(".stat-value");

describeInBrowser("the display", (console) => {
  test("a page shows the product's name while the gateway is slow, and a retry if it is unreachable", async () => {
    console.forgive(NOT_FETCHED);
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    const session = "**/console/api/session";
    const held: Route[] = [];
    let isAway = false;
    await page.route(session, (route) => (isAway ? route.abort() : void held.push(route)));
    await page.reload();
    const waiting = page.getByRole("status", { name: "Loading" });
    await waiting.getByText("Bursar").waitFor();
    isAway = true;
    for (const route of held) await route.abort();
    await page.locator(".door .brand").waitFor();
    await page.getByRole("alert").getByText("The gateway does not answer.").waitFor();
    await expectAccessible(page);
    await page.unroute(session);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
  });

  test("ids show their last characters, and are hidden before an email address is cut", async () => {
    const organization = await console.gateway.found();
    const email = "somebody.named@company.example.com";
    const userId = await organization.addMember(email, "owner");
    const page = await console.openFor(email, "/members", { viewport: { width: 1440, height: 900 } });
    const id = page.locator("td code").first();
    await id.waitFor();
    expect(await textOf(id)).toBe(`…${userId.slice(-8)}`);
    await page.setViewportSize({ width: 1024, height: 800 });
    await id.waitFor({ state: "hidden" });
    const isCut = (one: Element) => one.scrollWidth > one.clientWidth;
    expect(await page.getByRole("table").getByText(email).evaluate(isCut)).toBe(false);
    await page.emulateMedia({ media: "print" });
    await id.waitFor();
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("button", { name: /^Copy the id of/ }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(userId);
  });

  test("audio plays in the library's list, also by keyboard, one file at a time", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    const sound = { type: "audio", bytes: toneWave(5), mediaType: "audio/wav", durationMs: 5_000 } as const;
    for (const prompt of ["A slow waltz", "Good evening."])
      await publishTestAsset(gateway, organization, { ...sound, model: "sandbox-music", prompt });
    const page = await console.openAs(organization, "owner", "/library", PHONE);
    const tile = (prompt: string) => page.locator(".tile", { hasText: prompt });
    await tile("A slow waltz").getByText("0:05", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Play “A slow waltz”" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Pause “A slow waltz”" }).waitFor();
    await page.getByRole("slider", { name: "Position in “A slow waltz”" }).focus();
    for (let pressed = 0; pressed < 20; pressed++) await page.keyboard.press("ArrowRight");
    await tile("A slow waltz")
      .getByText(/^0:0[2-5] \/ 0:05$/)
      .waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Play “Good evening.”" }).click();
    await page.getByRole("button", { name: "Pause “Good evening.”" }).waitFor();
    await page.getByRole("button", { name: "Play “A slow waltz”" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/library");
  });

  test("forced system colours keep switches, selections and pools distinguishable", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/models", { forcedColors: "active" });
    const paint = (locator: Locator) =>
      locator.evaluate((one) => {
        const { backgroundColor, borderColor, color } = getComputedStyle(one);
        return { backgroundColor, borderColor, color };
      });
    const control = page.getByRole("article", { name: "Sandbox Chat" }).getByRole("switch");
    const on = await paint(control);
    await control.click();
    await page.getByText("Sandbox Chat is off.").waitFor();
    const off = await paint(control);
    expect(off.backgroundColor).not.toBe(on.backgroundColor);
    expect(off.borderColor).not.toBe(off.backgroundColor);
    const segment = (name: string) => page.locator(".segments label", { hasText: name });
    expect(await paint(segment("Images"))).not.toEqual(await paint(segment("All")));
    const entry = (name: string) => page.locator(".sidebar").getByRole("link", { name });
    expect(await paint(entry("Models"))).not.toEqual(await paint(entry("Library")));
    await entry("Overview").click();
    await page.locator(".balance-pools .swatch").nth(2).waitFor();
    for (const of of [".balance-pools .swatch", ".balance-bar i"]) {
      const colours = await Promise.all((await page.locator(of).all()).map(paint));
      expect(new Set(colours.map(({ backgroundColor }) => backgroundColor)).size).toBe(3);
    }
  });

  test("a right-to-left title is cut at its end, not at its beginning", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    await publishTestAsset(gateway, organization, { prompt: "عبد الرحمن ".repeat(20).trim() });
    const page = await console.openAs(organization, "owner", "/library");
    const title = page.locator(".tile-open [dir]");
    await title.waitFor();
    const look = await title.evaluate((one) => {
      const { direction, textOverflow } = getComputedStyle(one);
      return { direction, textOverflow, isCut: one.scrollWidth > one.clientWidth };
    });
    expect(look).toEqual({ direction: "rtl", textOverflow: "ellipsis", isCut: true });
  });

  test("a huge balance is abbreviated to fit a phone, with the full number below and in the tooltip", async () => {
    const organization = await console.gateway.found({ plan: "free", credits: 0 });
    const entry = { pool: "anytime", reference: null, expiresAt: null, kind: "manual" } as const;
    const amount = 900_000_000_000_001;
    await console.gateway.services.ledger.grant({
      ...entry,
      orgId: organization.id,
      amount: amount as never,
      description: "a gift",
    });
    const page = await console.openAs(organization, "owner", "/billing", PHONE);
    await page.getByText("+900,000,000,000,001").waitFor();
    expect(await stat(page, "Anytime").textContent()).toBe("900T");
    expect(await stat(page, "Anytime").locator("[title]").getAttribute("title")).toBe("900,000,000,000,001");
    const whole = page.getByText("900,000,000,000,001", { exact: true });
    expect(await stat(page, "Available now").textContent()).toBe("900T900,000,000,000,001");
    await whole.waitFor();
    const overflowing = await page.evaluate(`[...document.querySelectorAll(".page *")]
      .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.className)`);
    expect(overflowing).toEqual([]);
    await page.goto("/console");
    await whole.waitFor();
  });
});
