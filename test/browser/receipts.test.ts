import { expect, test } from "bun:test";
import { describeInBrowser, textOf } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

describeInBrowser("a receipt", (console) => {
  test("is shown without the measured quantities if a node of the previous version answers", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/usage");
    await page.route("**/console/api/request.get?*", async (route) => {
      const response = await route.fetch();
      const { measured: _, ...receipt } = (await response.json())["ok"];
      await route.fulfill({ response, json: { ok: receipt } });
    });
    await page.locator("a.receipt-link").click();
    const dialog = page.getByRole("dialog", { name: "Receipt" });
    await dialog.getByText("1 credit per answer", { exact: true }).waitFor();
    await dialog.getByText("Tokens in", { exact: true }).waitFor();
    expect(await textOf(dialog)).not.toContain("Charged for");
  });
});
