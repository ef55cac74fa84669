import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { publishTestAsset } from "../published-asset.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser } from "./browser.ts";
import { callChat } from "./call-gateway.ts";

/** The focused element, as tag and text. */
function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.tagName + ': ' + document.activeElement.textContent");
}

describeInBrowser("the focus", (console) => {
  test("moves to the heading of new dialog content, and a second Enter does not close a secret", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/members");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByLabel("Email").fill("late@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("It is shown only once").waitFor();
    expect(await focused(page)).toBe("H2: The invitation is ready");
    await page.keyboard.press("Enter");
    await page.getByText("It is shown only once").waitFor();
    await page.getByRole("button", { name: "Copy the link" }).click();
    await page.getByText("the link copied").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("BUTTON: Invite");

    await page.goto("/console/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("Website");
    await page.keyboard.press("Enter");
    await page.getByText("Copy the key now").waitFor();
    expect(await focused(page)).toBe("H2: “Website” is ready");
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Replace the secret of Website" }).click();
    await page.getByRole("button", { name: "Replace the secret", exact: true }).press("Enter");
    await page.getByText("Copy the key now").waitFor();
    expect(await focused(page)).toBe("H2: A new secret for “Website”");
  });

  test("a dialog with a secret closes before it was copied only after a confirmation", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "");
    await page.getByRole("link", { name: "API keys" }).click();
    const make = async () => {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("Website");
      await page.keyboard.press("Enter");
      await page.getByText("Copy the key now").waitFor();
    };
    await make();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Close without copying?" }).waitFor();
    await expectAccessible(page);
    // Repeatedly, because the browser does not let a page cancel every Escape.
    for (let pressed = 0; pressed < 5; pressed++) await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor();
    // An Escape while the browser had the dialog closed was ignored, so the question may still be open.
    const again = page.getByRole("button", { name: "Keep it open" });
    if (await again.isVisible()) await again.click();
    await page.getByText("Copy the key now").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Keep it open" }).click();
    await page.getByText("Copy the key now").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Close anyway" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await make();
    // The Back button asks, too.
    await page.goBack();
    await page.getByRole("heading", { name: "Close without copying?" }).waitFor();
    await page.getByRole("button", { name: "Keep it open" }).click();
    await page.getByText("Copy the key now").waitFor();
    // Copied by hand, without the button.
    await page.locator("dialog pre").first().dblclick();
    await page.keyboard.press("ControlOrMeta+C");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("moves to the next row after one was removed, and to a heading after the last", async () => {
    const organization = await console.gateway.found();
    for (const name of ["one", "two"]) await organization.mint({ name });
    await organization.addMember("a-first@example.com", "member");
    const page = await console.openAs(organization, "owner", "/keys");
    const revoke = async (name: string) => {
      await page.getByRole("button", { name: `Revoke ${name}`, exact: true }).click();
      expect(await focused(page)).toBe(`H2: Revoke “${name}”?`);
      await page.getByRole("button", { name: "Revoke the key" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await page.getByRole("button", { name: "Revoke two", exact: true }).waitFor();
    const names = await page.getByRole("button", { name: /^Revoke/ }).allTextContents();
    const [first = "", second = "", third = ""] = names.map((name) => name.replace("Revoke ", ""));
    await revoke(first);
    expect(await focused(page)).toBe(`BUTTON: Revoke ${second}`);
    await revoke(third);
    expect(await focused(page)).toBe(`BUTTON: Revoke ${second}`);
    await revoke(second);
    expect(await focused(page)).toBe("H2: 3 keys");

    await page.goto("/console/members");
    await page.getByRole("button", { name: "Remove a-first" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("BUTTON: Leave");
    for (const email of ["b@example.com", "c@example.com"]) {
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await page.getByLabel("Email").fill(email);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "I have copied it" }).click();
    }
    const cancels = page.getByRole("button", { name: /^Cancel the invitation/ });
    await cancels.nth(1).waitFor();
    await cancels.first().click();
    await cancels.nth(1).waitFor({ state: "detached" });
    expect(await focused(page)).toBe(`BUTTON: ${await cancels.textContent()}`);
    await cancels.click();
    await cancels.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("H1: Members");
  });

  test("moves to the first of the rows that Show more added", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "");
    await page.route("**/console/api/key.list", async (route) => {
      const { ok } = await (await route.fetch()).json();
      const [one] = ok.keys;
      const keys = Array.from({ length: 150 }, (_, at) => ({ ...one, id: `${at}`, name: `key ${at}` }));
      await route.fulfill({ json: { ok: { keys } } });
    });
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("100 of 150", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show more" }).press("Enter");
    await page.getByRole("button", { name: "Revoke key 149", exact: true }).waitFor();
    expect(await focused(page)).toMatch(/^BUTTON: .* key 100$/);
    await page.getByRole("searchbox").fill("key 14");
    await page.getByText("11 of 150, matching “key 14”").waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.getByText("11 of 150").isVisible()).toBe(true);
    expect(await page.getByRole("searchbox").count()).toBe(0);
  });

  test("moves to the next file after one was deleted", async () => {
    const organization = await console.gateway.found();
    for (const prompt of ["A first one", "A second one"]) {
      await publishTestAsset(console.gateway, organization, { prompt });
    }
    const page = await console.openAs(organization, "owner", "/library");
    await page.getByRole("link", { name: "A second one" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused(page)).toContain("A: ");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("A first one").first().waitFor();
  });
});

describeInBrowser("the page behind a closed dialog", (console) => {
  test("has the focus on the link of the closed receipt or file, even if it was opened by its own URL", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    await callChat(gateway.origin, organization.key);
    const oldest = await publishTestAsset(gateway, organization, { prompt: "The oldest" });
    for (let made = 0; made < 20; made++) await publishTestAsset(gateway, organization, { prompt: "Newer" });
    const page = await console.openAs(organization, "owner", "/usage");
    const close = async () => {
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    const receipt = page.locator("a.receipt-link").last();
    await page.goto((await receipt.getAttribute("href")) ?? "");
    await page.getByRole("dialog").getByText("1 credit per answer").waitFor();
    await receipt.waitFor();
    await close();
    expect(await focused(page)).toBe(`A: ${await receipt.textContent()}`);

    await page.goto(`/console/library/${oldest.id}`);
    const tile = page.getByRole("link", { name: "The oldest" });
    await tile.waitFor();
    await close();
    expect(await focused(page)).toBe("A: Image: The oldest");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Receipt" }).click();
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("dialog").getByText("The oldest").waitFor();
    await page.evaluate("scrollTo(0, 0)");
    await close();
    expect(await focused(page)).toBe("A: Image: The oldest");
    const place = await tile.boundingBox();
    expect(place?.y).toBeLessThan(await page.evaluate("innerHeight"));
  });

  test("has the focus near a pressed button that has disappeared", async () => {
    const organization = await console.gateway.found();
    await callChat(console.gateway.origin, organization.key);
    const page = await console.openAs(organization, "owner", "/settings");
    for (const [name, press] of [
      ["Another", "Discard"],
      ["Renamed", "Save"],
    ] as const) {
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByRole("button", { name: press }).press("Enter");
      await page.getByRole("button", { name: press }).waitFor({ state: "detached" });
      expect(await focused(page)).toBe("H2: Organization");
    }
    await page.goto("/console/usage?model=sandbox-chat");
    await page.getByRole("button", { name: "Show all" }).press("Enter");
    await page.getByRole("button", { name: "Show all" }).waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.parentElement.textContent")).toBe("30 days");
  });

  test("does not scroll behind a dialog, and is dimmed up to the edge", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/settings");
    await page.getByRole("button", { name: /^Deactivate/ }).click();
    await page.getByRole("dialog").waitFor();
    const before = await page.evaluate("scrollY");
    await page.mouse.move(20, 300);
    await page.mouse.wheel(0, -2_000);
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await page.evaluate("[scrollY, getComputedStyle(document.documentElement).overflowY]")).toEqual([
      before,
      "hidden",
    ]);
    // The backdrop does not cover the scrollbar's gutter, so the root element gets a colour of its own meanwhile.
    const colours = () =>
      page.evaluate<string[]>(
        "[document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor)",
      );
    const [room, paper] = await colours();
    expect([paper, "rgba(0, 0, 0, 0)"]).not.toContain(room);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await colours()).toEqual(["rgba(0, 0, 0, 0)", paper ?? ""]);
  });
});
