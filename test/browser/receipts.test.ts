import { expect, test } from "bun:test";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, textOf } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

describeInBrowser("receipts and sums", (console) => {
  test("a receipt is shown without the measured quantities if a node of the previous version answers", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/usage");
    await page.route("**/console/api/request.get?*", async (route) => {
      const response = await route.fetch();
      const { measured: _, cacheSaved: __, ...receipt } = (await response.json())["ok"];
      await route.fulfill({ response, json: { ok: receipt } });
    });
    await page.locator("a.receipt-link").click();
    const dialog = page.getByRole("dialog", { name: "Receipt" });
    await dialog.getByText("1 credit per answer", { exact: true }).waitFor();
    await dialog.getByText("Tokens in", { exact: true }).waitFor();
    expect(await textOf(dialog)).not.toContain("Charged for");
  });

  test("what caches saved is shown in all and by key, and said where they cost more than they saved", async () => {
    const organization = await console.gateway.found();
    const second = await organization.mint({ name: "Lone calls" });
    const { origin, services } = console.gateway;
    for (const key of [organization.key, second.key]) await callChat(origin, key);
    const cached = `update rollups set input_tokens = 12000, cache_read_tokens = $3, cache_written_tokens = 400,
      cache_saved = $4 where org_id = $1 and key_id = $2`;
    await services.db.pool.query(cached, [organization.id, organization.keyId, 9_000, 29_700_000]);
    await services.db.pool.query(cached, [organization.id, second.keyId, 0, -1_250_000]);
    const page = await console.openAs(organization, "owner", "/usage?split=key");
    const sum = page.locator(".stat", { hasText: "Input from caches" });
    await sum.getByText("37%").waitFor();
    await sum.getByText("Saved 28 credits, net").waitFor();
    const legend = page.locator(".legend");
    await legend.getByText("Caches: saved 29 credits, net").waitFor();
    await legend.getByText("Caches: cost 1.25 credits more than they saved").waitFor();
    await expectAccessible(page);
  });
});
