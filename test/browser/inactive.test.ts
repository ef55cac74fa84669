import { expect, test } from "bun:test";
import { expectAccessible } from "./accessibility.ts";
import { choosePage, describeInBrowser } from "./browser.ts";

describeInBrowser("an inactive organization", (console) => {
  test("shows a notice on every page; buying is disabled, and keys are shown as refused", async () => {
    console.forgive(/status of 403/);
    const organization = await console.gateway.found();
    const { identity } = console.gateway.services;
    await identity.organizations.update({
      organizationId: organization.id,
      active: false,
      actor: { kind: "operator" },
    });
    const page = await console.openAs(organization, "owner");
    const notice = page.getByRole("alert").filter({ hasText: `${organization.slug} is inactive.` });
    for (const name of ["Overview", "Models", "Settings", "API keys"]) {
      await choosePage(page, name);
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      expect([name, await notice.count()]).toEqual([name, 1]);
    }
    await page.getByRole("cell", { name: "Refused" }).first().waitFor();
    expect(await page.getByText("Works", { exact: true }).count()).toBe(0);
    await choosePage(page, "Billing");
    expect(await page.getByRole("button", { name: /^Buy / }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await choosePage(page, "Playground");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("This organization is inactive.").waitFor();
    expect(await notice.count()).toBe(1);
  });
});
