import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { describeInBrowser } from "./browser.ts";

const MAKING_MS = 90_000;
const TEST_LIMIT_MS = 120_000;
const MOST_LOOKS = 60;
const LOOKS = "**/console/play/api-v1-video?*";

/** Advances the page's own clock from poll to poll. */
async function passTimeUntil(page: Page, shown: Locator): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS && !(await shown.isVisible()); looks++) {
    await page.clock.runFor(1_600);
  }
  await shown.waitFor();
}

describeInBrowser("a video in the playground", (console) => {
  test(
    "shows no progress while the gateway is unreachable, and is polled again once it answers",
    async () => {
      console.forgive(/Failed to load resource/);
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "owner", "/playground/video");
      await page.clock.install();
      await page.reload();
      await page.getByLabel(/^What the video/).fill("A boat");
      await page.getByLabel("Seconds").fill("1");
      await page.route(LOOKS, (route) => route.abort("connectionrefused"));
      await page.getByRole("button", { name: "Create the video" }).click();
      await page.locator(".made .spin").waitFor();
      const notice = page.getByRole("alert").getByText("The gateway does not answer.");
      await passTimeUntil(page, notice);
      const seconds = page.getByText(/^\d+ s$/);
      const before = await seconds.textContent();
      expect(await page.locator(".made .spin, .making.skeleton").count()).toBe(0);
      await page.clock.runFor(3_000);
      expect(await seconds.textContent()).toBe(before);

      await page.unroute(LOOKS);
      while (await notice.isVisible()) await page.clock.runFor(1_000);
      await page.getByText(/^\d[\d,]* left$/).waitFor({ timeout: MAKING_MS });
    },
    TEST_LIMIT_MS,
  );
});
