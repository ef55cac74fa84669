import { expect, test } from "bun:test";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

describeInBrowser("an export", (console) => {
  test("is refused if it is the third at a time, and the page says why and until when", async () => {
    console.forgive(/status of 429/);
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/usage");
    const others = [await page.context().newPage(), await page.context().newPage()];
    const exportIn = (one: typeof page) => one.getByRole("button", { name: "Export CSV" });
    const rowIn = (one: typeof page) => one.locator(".requests tbody tr").first();
    for (const other of others) await other.goto(page.url());
    for (const one of [page, ...others]) await rowIn(one).waitFor();
    const blocker = await console.gateway.services.db.pool.connect();
    try {
      await blocker.query("begin; lock table requests in access exclusive mode");
      for (const other of others) {
        const begun = other.waitForResponse(/request\.export/);
        await exportIn(other).click();
        await begun;
      }
      await exportIn(page).click();
      await page
        .getByText("Two of your exports are still running. Try again when one of them has finished.")
        .waitFor();
      await expectAccessible(page);
      const saved = Promise.all(others.map((other) => other.waitForEvent("download")));
      await blocker.query("rollback");
      await saved;
    } finally {
      blocker.release(true);
    }
    const [download] = await Promise.all([page.waitForEvent("download"), exportIn(page).click()]);
    expect(await download.failure()).toBeNull();
    await page.getByText("Two of your exports").waitFor({ state: "detached" });
  });

  test("that was refused shows its error only under its own filter", async () => {
    console.forgive(/status of 503/);
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/usage");
    const problem = { code: "failed", message: "It did not work." };
    await page.route("**/request.export*", (route) => route.fulfill({ status: 503, json: { problem } }));
    await page.getByRole("button", { name: "Export CSV" }).click();
    const refusal = page.getByText(problem.message);
    await refusal.waitFor();
    await page.getByLabel("State", { exact: true }).selectOption({ label: "Failed" });
    await page.getByText("Nothing on these days matches.").waitFor();
    expect(await refusal.count()).toBe(0);
  });
});
