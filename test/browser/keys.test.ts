import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";

const DARK_PHONE = { ...PHONE, colorScheme: "dark" } as const;

async function chat(origin: string, key: string): Promise<number> {
  const response = await fetch(`${origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function mint(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create the key" }).click();
  return textOf(page.locator("dialog pre").first());
}

describeInBrowser("the keys", (console) => {
  test("a key is shown once with a working example call, and then listed by its last four characters", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "admin", "/keys");
    await page.getByRole("table").waitFor();
    const secret = await mint(page, "Website");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Copy the key" }).click();
    await page.getByRole("button", { name: "the key copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);

    // Simulates a browser that lets no page copy.
    await page.evaluate(async () => {
      await navigator.clipboard.writeText("what was there before");
      navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
      document.execCommand = () => false;
    });
    await page.getByRole("button", { name: /the key( copied)?$/ }).click();
    await page.getByText("Your browser did not allow that.").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("ControlOrMeta+C");
    await page.getByText("Your browser did not allow that.").waitFor({ state: "detached" });
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    const example = page.locator("dialog pre").nth(1);
    const curl = await textOf(example);
    const child = Bun.spawn(["bash", "-c", curl], { stdout: "pipe", stderr: "ignore" });
    expect(await new Response(child.stdout).json()).toHaveProperty("credits_charged");
    for (const [label, mark] of [
      ["Python", "base_url="],
      ["Node", "baseURL: "],
      ["AI SDK", "createOpenAICompatible"],
    ] as const) {
      await page.getByRole("radio", { name: label }).check();
      const text = await textOf(example);
      expect([
        text.includes(mark),
        text.includes(`${console.gateway.origin}/v1"`),
        text.includes(secret),
      ]).toEqual([true, true, true]);
    }
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.reload();
    const row = page.getByRole("row", { name: "Website" });
    await row.getByText(`…${secret.slice(-4)}`).waitFor();
    await row.getByText("just now").waitFor();
    expect(await page.content()).not.toContain(secret.slice(0, -4));
    await expectAccessible(page);
  });

  test("a key without the chat scope is shown a working example call of another scope", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "admin", "/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Pictures");
    await page.getByRole("checkbox", { name: "Chat" }).uncheck();
    await page.getByRole("button", { name: "Create the key" }).click();
    const curl = await textOf(page.locator("dialog pre").nth(1));
    const child = Bun.spawn(["bash", "-c", curl], { stdout: "pipe", stderr: "ignore" });
    expect(await new Response(child.stdout).json()).toHaveProperty("image_url");
  });

  test("a secret is replaced while the old one still works, and a key is revoked", async () => {
    const { origin, services } = console.gateway;
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/keys");
    const first = await mint(page, "Nightly");
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Replace the secret of Nightly" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Replace the secret", exact: true }).click();
    await page.getByText("The old one works for 24 more hours.").waitFor();
    const second = await textOf(page.locator("dialog pre").first());
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText("old secret expires").waitFor();
    expect([await chat(origin, first), await chat(origin, second)]).toEqual([200, 200]);

    await page.getByRole("button", { name: "Revoke Nightly" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await chat(origin, second)).toBe(200);
    await page.getByRole("button", { name: "Revoke Nightly" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("“Nightly” no longer works.").waitFor();
    await services.identity.refresh();
    expect([await chat(origin, first), await chat(origin, second)]).toEqual([401, 401]);
    await page.getByRole("radio", { name: /^All/ }).check();
    await page.getByText("Revoked", { exact: true }).waitFor();
  });

  test("an invalid name is reported beside its field, and the dialog works by keyboard", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "admin", "/keys");
    await page.getByRole("button", { name: "New key" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("   ");
    await page.keyboard.press("Enter");
    await page.getByText("This takes 1 to 100 characters").waitFor();
    expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const focused = await page.evaluate("document.activeElement.textContent");
    expect(focused).toBe("New key");
  });

  test("names are shown as text, never as markup, and long ones fit a phone", async () => {
    const organization = await console.gateway.found();
    const script = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
    await organization.mint({ name: script.slice(0, 100) });
    await organization.mint({ name: "W".repeat(100) });
    const page = await console.openAs(organization, "owner", "/keys", DARK_PHONE);
    await page.getByText("<img src=x").first().waitFor();
    expect(await page.title()).toBe("API keys · Bursar");
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(390);
    await expectAccessible(page);
  });

  test("on a phone, the buttons of a key have visible labels", async () => {
    const organization = await console.gateway.found();
    await organization.mint({ name: "Reports" });
    const page = await console.openAs(organization, "owner", "/keys", PHONE);
    const revoke = page.getByRole("button", { name: "Revoke Reports", exact: true });
    const box = await revoke.boundingBox();
    expect(box?.width ?? 0).toBeGreaterThan(2 * (box?.height ?? 0));
  });

  test("an organization without keys is offered to create the first one", async () => {
    const organization = await console.gateway.found();
    await console.gateway.services.db.pool.query("delete from api_keys where org_id = $1", [organization.id]);
    const page = await console.openAs(organization, "owner", "/keys");
    await page.getByRole("heading", { name: "No keys yet" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create the first key" }).click();
    await page.getByRole("dialog", { name: "New key" }).waitFor();
  });

  test("a member sees no keys page in the menu, and gets no keys by its URL", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "member", "/keys");
    await page.getByRole("heading", { name: "For owners and admins" }).waitFor();
    expect(await page.getByRole("navigation").getByText("API keys").count()).toBe(0);
    const answer = await page.request.get("/console/api/key.list");
    expect(answer.status()).toBe(403);
    await expectAccessible(page);
  });
});
