import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { toneWave } from "../../sandbox/src/video/testing.ts";
import type { TestOrganization } from "../harness.ts";
import { publishTestAsset } from "../published-asset.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE } from "./browser.ts";
import { playUntilReady, showUntilReady } from "./media.ts";

/** Rendering runs at low priority. */
const MAKING_MS = 90_000;

/** Through the API, as a program would. */
async function call(origin: string, organization: TestOrganization, endpoint: string, body: unknown) {
  const response = await fetch(`${origin}/functions/v1/${endpoint}`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string>;
}

async function deleteShown(page: Page): Promise<string> {
  const address = await page.getByRole("link", { name: "Open in a new tab" }).getAttribute("href");
  await page.getByRole("button", { name: "Delete" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return address ?? "";
}

describeInBrowser("the library", (console) => {
  test("files of every kind are listed, shown, downloaded and deleted, and their URLs are gone then", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    const memberUserId = await organization.addMember("maker@example.com");
    const page = await console.openFor("maker@example.com", "/library");
    await page.getByRole("link", { name: "Create the first image" }).click();
    // A video continues without its page, and appears in the library by itself.
    await page.getByRole("link", { name: "Video", exact: true }).click();
    await page.getByLabel(/^What the video/).fill("Rain on a window");
    await page.getByLabel("Seconds").locator("visible=true").fill("1");
    await page.getByLabel("Resolution").selectOption("480p");
    await page.getByRole("button", { name: "Create the video" }).click();
    await page.locator(".made", { hasText: "Rain on a window" }).waitFor();
    // How the others are made is covered by the tests of the playground.
    const sound = { type: "audio", bytes: toneWave(1), mediaType: "audio/wav" } as const;
    for (const [prompt, made] of [
      ["A quiet harbour", {}],
      ["Good evening.", { ...sound, model: "sandbox-voice" }],
      ["A slow waltz", { ...sound, model: "sandbox-music" }],
    ] as const)
      await publishTestAsset(gateway, organization, { ...made, prompt, memberUserId });
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Library" }).click();
    await page.getByRole("link", { name: "Rain on a window" }).waitFor({ timeout: MAKING_MS });
    expect(await page.locator(".tile").count()).toBe(4);
    const still = page.locator(".tile-video img");
    await still.waitFor({ timeout: MAKING_MS });
    await showUntilReady(still);
    await expectAccessible(page);

    for (const words of ["A quiet harbour", "Good evening.", "A slow waltz", "Rain on a window"]) {
      await page.getByRole("link", { name: words }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(words).waitFor();
      if (words === "A quiet harbour") {
        await showUntilReady(dialog.locator("img"));
      } else {
        await playUntilReady(dialog.locator("audio, video"));
      }
      await expectAccessible(page);
      const downloading = page.waitForEvent("download");
      await dialog.getByRole("link", { name: "Download" }).click();
      expect((await downloading).suggestedFilename()).toMatch(/^[0-9a-f-]{36}\.(png|wav|mp3|mp4)$/);
      const address = await deleteShown(page);
      expect((await fetch(address)).status).toBe(404);
      await page.getByRole("link", { name: words }).waitFor({ state: "detached" });
    }
    await page.getByRole("heading", { name: "Nothing here yet" }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Playground" }).click();
    await page.getByRole("link", { name: "Video", exact: true }).click();
    await page
      .getByText(/^“Rain on a window” was made for \d+ credits? and has been deleted since\.$/)
      .waitFor();
  }, 300_000);

  test("a member sees only their own files; an admin sees and filters everybody's", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    const ann = await organization.addMember("ann@example.com");
    await publishTestAsset(gateway, organization, { memberUserId: ann, prompt: "Ann's dot" });
    const others = await publishTestAsset(gateway, organization, { prompt: "A program's dot" });
    const made = await call(gateway.origin, organization, "api-v1-audio", {
      model: "sandbox-voice",
      prompt: "Said by a program",
    });

    const member = await console.openFor("ann@example.com", "/library", PHONE);
    await member.getByRole("link", { name: "Ann's dot" }).waitFor();
    expect(await member.locator(".tile").count()).toBe(1);
    expect(await member.getByLabel("Member").count()).toBe(0);
    await member.goto(`/console/library/${others.id}`);
    await member.getByText("There is no such file.").waitFor();
    await expectAccessible(member);

    const admin = await console.openAs(organization, "admin", "/library");
    await admin.locator(".tile").nth(2).waitFor();
    await admin.getByRole("radio", { name: "Audio" }).check();
    await admin.getByRole("link", { name: "Said by a program" }).waitFor();
    await admin.getByRole("link", { name: "Ann's dot" }).waitFor({ state: "detached" });
    await admin.getByLabel("Model").selectOption("sandbox-music");
    await admin.getByRole("heading", { name: "No matches" }).waitFor();
    await expectAccessible(admin);
    await admin.getByRole("button", { name: "Show everything" }).click();
    await admin.getByLabel("Member").selectOption(ann);
    await admin.getByRole("link", { name: "A program's dot" }).waitFor({ state: "detached" });
    expect(new URL(admin.url()).search).toBe(`?member=${ann}`);
    await admin.reload();
    await admin.getByRole("link", { name: "Ann's dot" }).click();
    await admin.getByRole("dialog").getByText("4 credits").waitFor();
    await admin.getByRole("button", { name: "Close" }).click();
    expect(new URL(admin.url()).search).toBe(`?member=${ann}`);
    expect((await fetch(made["audio_url"] ?? "")).status).toBe(200);
  });

  test("a file deleted here or elsewhere is not found, and the page offers the library instead", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    const first = await publishTestAsset(gateway, organization, { prompt: "The first dot" });
    const second = await publishTestAsset(gateway, organization, { prompt: "The second dot" });
    const page = await console.openAs(organization, "owner", "/library");
    await page.getByRole("link", { name: "The first dot" }).click();
    await deleteShown(page);
    await page.getByText("Image deleted.").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "The second dot" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/library");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await page.getByRole("link", { name: "The second dot" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Download" }).waitFor();
    await gateway.services.library.delete(organization.id, second.id);
    // Asked again when the user returns to the tab, unless it was asked only just before.
    await page.waitForFunction(() => {
      window.dispatchEvent(new Event("visibilitychange"));
      return document.querySelector("dialog .notice");
    });
    await page.getByRole("dialog").getByText("There is no such file.").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.getByRole("button", { name: "Show the library" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(`/console/library/${first.id}`);
    await page.getByRole("dialog").getByText("There is no such file.").waitFor();
    await expectAccessible(page);
  });

  test("older files load on scrolling, each once, and prompts are shown as text, never as markup", async () => {
    const { gateway } = console;
    const organization = await gateway.found();
    const prompt = `<img src=x onerror="document.title='taken'">${"W".repeat(200)}`;
    for (let made = 0; made < 60; made++) {
      await publishTestAsset(gateway, organization, { prompt: made === 59 ? prompt : `Dot ${made}` });
    }
    const page = await console.openAs(organization, "owner", "/library", {
      ...PHONE,
      colorScheme: "dark",
    });
    await page.locator(".tile").nth(39).waitFor();
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.getByRole("link", { name: "Image: Dot 0", exact: true }).waitFor();
    expect(await page.locator(".tile").count()).toBe(60);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.getByRole("link", { name: "<img src=x" }).click();
    await page.getByRole("dialog").getByText("<img src=x").waitFor();
    expect(await page.locator("img[src=x]").count()).toBe(0);
    expect(await page.title()).toBe("Library · Bursar");
    await expectAccessible(page);
  });
});
