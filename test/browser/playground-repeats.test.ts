import { expect, test } from "bun:test";
import { describeInBrowser } from "./browser.ts";

const POLL_MS = 20;
const MAKING_MS = 60_000;
const TEST_LIMIT_MS = 120_000;

describeInBrowser("a repeated playground request", (console) => {
  test(
    "after a broken connection is charged once, however many refusals come before its answer",
    async () => {
      console.forgive(/Failed to load resource/);
      const organization = await console.gateway.found({ credits: 1_000 });
      const page = await console.openAs(organization, "owner", "/playground/image");
      const account = () => console.gateway.services.ledger.account(organization.id);
      const sent: Promise<unknown>[] = [];
      await page.route("**/console/play/api-v1-images", async (route) => {
        const headers = { ...(await route.request().allHeaders()), origin: console.gateway.origin };
        sent.push(route.fetch({ headers, timeout: MAKING_MS }));
        while ((await account()).anytimeHeld === 0) await Bun.sleep(POLL_MS);
        await route.abort("connectionreset");
      });
      const make = page.getByRole("button", { name: "Create the image" });
      await page.getByLabel(/^What the image/).fill("[sandbox:delay=3s] a boat");
      await make.click();
      await page.getByText("The gateway does not answer.").waitFor();
      await page.unroute("**/console/play/api-v1-images");

      await make.click();
      await page.getByText("is still running").waitFor();
      await page.route(
        "**/console/play/api-v1-images",
        (route) =>
          route.fulfill({
            status: 429,
            json: { error: { code: "rate_limit_exceeded", message: "Too many calls." } },
          }),
        { times: 1 },
      );
      await make.click();
      await page.getByText("Too many calls.").waitFor();

      await Promise.all(sent);
      const charged = 1_000 - (await account()).anytimeAvailable;
      expect(charged).toBeGreaterThan(0);
      await make.click();
      await page.locator("img.shown").waitFor({ timeout: MAKING_MS });
      expect(1_000 - (await account()).anytimeAvailable).toBe(charged);

      await make.click();
      await page.locator("img.shown").nth(1).waitFor({ timeout: MAKING_MS });
      expect(1_000 - (await account()).anytimeAvailable).toBe(2 * charged);
    },
    TEST_LIMIT_MS,
  );
});
