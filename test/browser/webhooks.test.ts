import { expect, test } from "bun:test";
import { startReceiver } from "../../gateway/src/outbox/testing.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";

describeInBrowser("the webhooks", (console) => {
  test("a webhook is created, tested and replayed; its secret is shown once", async () => {
    const receiver = startReceiver(() => new Response());
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/webhooks");
    await page.getByRole("button", { name: "Create the first webhook" }).click();
    await expectAccessible(page);
    await page.getByLabel("URL").fill("ftp://example.com");
    await page.getByRole("button", { name: "Create the webhook" }).click();
    await page.getByText("This takes a public https URL at the usual port.").waitFor();
    await page.getByLabel("URL").fill(receiver.url);
    await page.getByLabel("API keys").check();
    await page.getByRole("button", { name: "Create the webhook" }).click();
    const secret = await textOf(page.locator("dialog pre"));
    expect(secret).toStartWith("whsec_");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Copy the secret" }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    expect(await page.content()).not.toContain(secret);
    expect(await page.content()).not.toContain("/hook");

    await page.getByRole("button", { name: "Send a test" }).click();
    const row = page.getByRole("row", { name: "webhook.test" });
    await row.getByText("Delivered").waitFor();
    await row.getByText("200").waitFor();
    await expectAccessible(page);
    await row.getByRole("button", { name: "Deliver webhook.test again" }).click();
    await page.getByText("webhook.test is delivered again.").waitFor();
    for (let tries = 0; tries < 500 && receiver.got.length < 2; tries++) await Bun.sleep(10);
    expect(new Set(receiver.got.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(receiver.got).toHaveLength(2);

    await page.getByRole("button", { name: "Replay" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Deliver again", exact: true }).click();
    await page.getByText(/^\d+ events? on the way again\.$/).waitFor();
    receiver.stop();
  });

  test("a webhook is paused, gets a new secret, and is removed", async () => {
    const organization = await console.gateway.found();
    const { endpoints } = console.gateway.services.outbox;
    const { pool } = console.gateway.services.db;
    const address = "https://hooks.example/";
    await endpoints.create(pool, { orgId: organization.id, kind: "webhook", address, types: ["plan.ended"] });
    const page = await console.openAs(organization, "owner", "/webhooks");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("button", { name: "Replace the secret" }).click();
    expect(await textOf(page.locator("dialog pre"))).toStartWith("whsec_");
    await page.getByRole("button", { name: "Copy the secret" }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove the webhook" }).click();
    await page.getByText("No webhooks yet").waitFor();
  });

  test("fit a phone", async () => {
    const organization = await console.gateway.found();
    const { endpoints } = console.gateway.services.outbox;
    const { pool } = console.gateway.services.db;
    const address = `https://${"long-".repeat(10)}name.${"sub.".repeat(20)}example.com/`;
    await endpoints.create(pool, {
      orgId: organization.id,
      kind: "webhook",
      address,
      types: ["key.created"],
    });
    const page = await console.openAs(organization, "admin", "/webhooks", { ...PHONE, colorScheme: "dark" });
    await page.getByText("1 webhook").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("row", { name: "webhook.test" }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  test("are for owners and admins", async () => {
    const page = await console.openAs(await console.gateway.found(), "member", "/webhooks");
    await page.getByText("Only owners and admins can have events delivered.").waitFor();
  });
});
