import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { choosePage, describeInBrowser, textOf } from "./browser.ts";

/** Longer than any command takes. */
const TOO_LONG_MS = 61_000;

/**
 * Does what a browser's translator does: replaces text nodes with its own elements, while React believes they are still
 * there.
 */
function translate(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest("script, style, textarea, [translate=no]"))
        continue;
      const translated = document.createElement("font");
      translated.textContent = text.data.toUpperCase();
      text.replaceWith(translated);
    }
  });
}

describeInBrowser("the dialogs of keys", (console) => {
  async function goBackInVain(page: Page): Promise<void> {
    await page.goBack();
    await page.waitForURL("**/console/keys");
    const isUnloadAsked = await page.evaluate(
      () => !dispatchEvent(new Event("beforeunload", { cancelable: true })),
    );
    expect([isUnloadAsked, await page.getByRole("dialog").count()]).toEqual([true, 1]);
  }

  test("the dialog stays open until its secret arrives, and shows it before the list has loaded", async () => {
    const organization = await console.gateway.found();
    await organization.mint({ name: "Nightly" });
    const page = await console.openAs(organization, "owner");
    await choosePage(page, "API keys");
    for (const [command, opens, goes] of [
      ["key.create", "New key", "Create the key"],
      ["key.rotate", "Replace the secret of Nightly", "Replace the secret"],
    ] as const) {
      const answered = Promise.withResolvers<void>();
      const listed = Promise.withResolvers<void>();
      await page.getByRole("button", { name: opens }).click();
      if (command === "key.create") await page.getByLabel("Name").fill("Website");
      await page.route(`**/console/api/${command}`, (route) => answered.promise.then(() => route.continue()));
      await page.route("**/console/api/key.list", (route) => listed.promise.then(() => route.continue()));
      await page.getByRole("button", { name: goes, exact: true }).click();
      await page.locator("dialog [aria-busy=true]").waitFor();
      // Repeatedly, because a page cannot cancel every Escape.
      for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor();
      await goBackInVain(page);
      for (const name of ["Cancel", "Close"]) {
        expect(await page.getByRole("button", { name, exact: true }).isDisabled()).toBe(true);
      }
      answered.resolve();
      await page.getByText("Copy the key now").waitFor();
      listed.resolve();
      await page.getByRole("button", { name: "I have copied it" }).click();
      await page.unrouteAll({ behavior: "wait" });
    }
  });

  test("a page translated by the browser shows a new key's secret untranslated", async () => {
    const page = await console.openAs(await console.gateway.found(), "owner", "/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Translated");
    await translate(page);
    await page.getByRole("button", { name: "CREATE THE KEY" }).click();
    const secret = page.locator("dialog pre").first();
    const shown = await textOf(secret);
    await translate(page);
    expect(await textOf(secret)).toBe(shown);
    await page.getByRole("button", { name: "I HAVE COPIED IT" }).click();
    // The key's buttons contain its name too, if they existed when the page was translated.
    await page
      .getByText(/^translated$/i)
      .first()
      .waitFor();
  });

  test("a dialog whose secret never comes can be left after a minute", async () => {
    const page = await console.openAs(await console.gateway.found(), "owner");
    await choosePage(page, "API keys");
    await page.clock.install();
    await page.route("**/console/api/key.create", () => {});
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Website");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.locator("dialog [aria-busy=true]").waitFor();
    await goBackInVain(page);
    await page.clock.runFor(TOO_LONG_MS);
    await page.goBack();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a key that was revoked or deleted meanwhile gets an error and disappears from the list", async () => {
    const { identity, db } = console.gateway.services;
    const organization = await console.gateway.found();
    const revoked = await organization.mint({ name: "Revoked meanwhile" });
    const gone = await organization.mint({ name: "Gone meanwhile" });
    const page = await console.openAs(organization, "owner", "/keys");
    await page.getByRole("row", { name: "Gone meanwhile" }).waitFor();
    const actor = { kind: "operator" } as const;
    await identity.keys.revoke({ organizationId: organization.id, keyId: revoked.keyId, actor });
    await page.getByRole("button", { name: "Replace the secret of Revoked meanwhile" }).click();
    await page.getByRole("button", { name: "Replace the secret", exact: true }).click();
    await page.getByRole("alert").getByText("This key is revoked").waitFor();
    await page.getByText("Revoked meanwhile", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel" }).click();
    await db.pool.query("delete from api_keys where id = $1", [gone.keyId]);
    await page.getByRole("button", { name: "Revoke Gone meanwhile" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByRole("alert").getByText("There is no such key.").waitFor();
    await page.getByText("Gone meanwhile", { exact: true }).waitFor({ state: "detached" });
  });

  test("a double click makes one key and one new secret", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/keys");
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST")
        sent.push(new URL(request.url()).pathname.replace("/console/api/", ""));
    });
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByLabel("Name").fill("Website");
    // Both clicks before anything is drawn: only then does the button become busy.
    const pressTwice = (button: HTMLElement) => {
      button.click();
      button.click();
    };
    await page.getByRole("button", { name: "Create the key" }).evaluate(pressTwice);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Replace the secret of Website" }).click();
    await page.getByRole("button", { name: "Replace the secret", exact: true }).evaluate(pressTwice);
    await page.getByRole("button", { name: "I have copied it" }).click();
    expect(sent).toEqual(["key.create", "key.rotate"]);
  });

  test("an invalid limit is shown and focused, even if its section was folded", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "admin", "/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Website");
    const limits = page.getByText("Limits for this key");
    await limits.click();
    await page.getByLabel("Calls per minute").fill("0");
    await limits.click();
    await page.getByLabel("Calls per minute").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByLabel("Calls per minute").waitFor();
    expect(await page.evaluate("document.activeElement.value")).toBe("0");
  });
});
