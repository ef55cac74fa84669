import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { toneWave } from "../../sandbox/src/video/testing.ts";
import { publishTestAsset } from "../published-asset.ts";
import { describeInBrowser } from "./browser.ts";
import { callChat } from "./call-gateway.ts";
import { untilLoaded } from "./settled.ts";

/** The narrowest that is common. */
const NARROW = { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true } as const;
const LONG = "Summaries of all the conversations";

/** Left, width and vertical centre of each match, all from one moment. */
function placesOf(locator: Locator): Promise<{ left: number; width: number; centre: number }[]> {
  return locator.evaluateAll((all) =>
    all.map((one) => {
      const { left, width, top, bottom } = one.getBoundingClientRect();
      return { left, width, centre: (top + bottom) / 2 };
    }),
  );
}

describeInBrowser("a phone", (console) => {
  test("shows a name over the whole width of its card, and cuts what is longer there", async () => {
    const organization = await console.gateway.found();
    for (const name of [LONG, LONG.repeat(2)]) await organization.mint({ name });
    const page = await console.openAs(organization, "owner", "/keys", NARROW);
    await untilLoaded(page);
    const isCut = (name: string) =>
      page.getByTitle(name, { exact: true }).evaluate((one) => one.scrollWidth > one.clientWidth);
    expect(await isCut(LONG)).toBe(false);
    expect(await isCut(LONG.repeat(2))).toBe(true);
    const [card] = await placesOf(page.locator(".card"));
    for (const { left, width } of await placesOf(page.locator("td .badge"))) {
      expect(left + width).toBeLessThan((card?.left ?? 0) + (card?.width ?? 0));
    }
  });

  test("keeps what the card of a table offers together in one line", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/billing", NARROW);
    for (const [path, title] of [
      ["billing", "Ledger"],
      ["usage", "Requests"],
    ] as const) {
      await page.goto(`/console/${path}`);
      await untilLoaded(page);
      const head = page.locator(".card-head", { has: page.getByRole("heading", { name: title }) });
      const [first, second] = await placesOf(head.locator("select, button"));
      expect(second?.centre, title).toBeCloseTo(first?.centre ?? 0, 0);
    }
  });

  test("leaves the playground's model room for its name", async () => {
    const page = await console.openAs(await console.gateway.found(), "owner", "/playground/chat", NARROW);
    await untilLoaded(page);
    const [model] = await placesOf(page.getByRole("combobox", { name: "Model" }));
    expect(model?.width).toBeGreaterThan(180);
    expect(await page.getByRole("button", { name: "Start over" }).count()).toBe(1);
  });

  test("shows the library's last file as wide as those above it", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    const sound = { type: "audio", bytes: toneWave(1), mediaType: "audio/wav", durationMs: 1_000 } as const;
    for (const prompt of ["one", "two"]) await publishTestAsset(gateway, organization, { ...sound, prompt });
    const page = await console.openAs(organization, "owner", "/library", NARROW);
    await untilLoaded(page);
    const widths = (await placesOf(page.locator(".tile"))).map(({ width }) => Math.round(width));
    expect(widths).toEqual([328, 328]);
  });
});
