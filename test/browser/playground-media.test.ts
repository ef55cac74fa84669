import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PNG } from "../upstream/media-samples.ts";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";
import { playUntilReady, showUntilReady } from "./media.ts";
import { runCurl } from "./run-curl.ts";

const DARK_PHONE = { ...PHONE, colorScheme: "dark" } as const;
/** Rendering runs at low priority. */
const MAKING_MS = 90_000;
const TEST_LIMIT_MS = 180_000;
const PICTURE = PNG.toString("base64");

async function make(page: Page, prompt: RegExp, words: string, action: string): Promise<void> {
  await page.getByLabel(prompt).fill(words);
  await page.getByRole("button", { name: action }).click();
  await page.getByText(/^\d[\d,]* left$/).waitFor({ timeout: MAKING_MS });
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
}

describeInBrowser("the playground for images, audio and video", (console) => {
  test(
    "an image is made and shown in the chosen shape, and its curl command works",
    async () => {
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "member", "/playground/image");
      await page.getByLabel("Shape").selectOption("16:9");
      await make(page, /^What the image/, `A boat called "L'Étoile" <img src=x>`, "Create the image");
      const image = page.locator("img.shown");
      await showUntilReady(image);
      const shape = await image.evaluate((element) => {
        const { naturalWidth, naturalHeight } = element as unknown as Record<string, number>;
        return Number(naturalWidth) / Number(naturalHeight);
      });
      expect(shape).toBeCloseTo(16 / 9, 1);
      await expectAccessible(page);
      expect(JSON.parse(await runCurl(page, organization.key))).toHaveProperty("image_url");
    },
    TEST_LIMIT_MS,
  );

  test(
    "music is made and plays, and its curl command works",
    async () => {
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "owner", "/playground/music", DARK_PHONE);
      await page.getByLabel("Seconds").fill("2");
      await make(page, /^What the music/, "Good morning, harbour.", "Create the music");
      await playUntilReady(page.locator("audio"));
      await expectAccessible(page);
      expect(JSON.parse(await runCurl(page, organization.key))).toHaveProperty("audio_url");
    },
    TEST_LIMIT_MS,
  );

  test(
    "a dialogue is made with the chosen voice for each line, and plays",
    async () => {
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "owner", "/playground/speech", DARK_PHONE);
      await page.getByRole("radio", { name: "A dialogue" }).check();
      await page.getByLabel("Line 1", { exact: true }).fill("Good morning: harbour.");
      await page.getByRole("button", { name: "Add a line" }).click();
      await page.getByLabel("Voice of line 3").selectOption("theo");
      await page.keyboard.press("Tab");
      await page.getByLabel("Line 3", { exact: true }).fill("Good night.");
      await page.getByRole("button", { name: "Add a line" }).click();
      await page.getByRole("button", { name: "Remove line 4" }).click();
      expect(await focusedName(page)).toBe("Remove line 3");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create the speech" }).click();
      await page.getByText(/^\d[\d,]* left$/).waitFor({ timeout: MAKING_MS });
      await playUntilReady(page.locator("audio"));
      expect(JSON.parse(await runCurl(page, organization.key))).toHaveProperty("audio_url");
      const command = await textOf(page.locator(".curl:visible pre"));
      expect(command).toContain(String.raw`"prompt": "Ava: Good morning: harbour.\nTheo: Good night."`);
      expect(command).toMatch(/"speakers": \[\s+"ava",\s+"theo"\s+\]/);
    },
    TEST_LIMIT_MS,
  );

  test(
    "a video is made from an image, plays, and links to itself in the library",
    async () => {
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "owner", "/playground/video", DARK_PHONE);
      await page.getByLabel("Seconds").fill("1");
      await page.getByLabel("With sound").check();
      const picture = { name: "a boat's.png", mimeType: "image/png", buffer: Buffer.from(PICTURE, "base64") };
      const choose = page.getByLabel("Image to start from");
      for (const again of [true, false]) {
        await choose.focus();
        await choose.setInputFiles(picture);
        await page.getByText(picture.name, { exact: true }).waitFor();
        expect(await focusedName(page)).toBe(`Remove ${picture.name}`);
        if (again) await page.keyboard.press("Enter");
        if (again) expect(await focusedName(page)).toBe("Image to start from");
      }
      await page.getByLabel("What to do with the image").selectOption("Create something based on it");
      await page.getByText("More options").click();
      await page.getByLabel("Seed").fill("7");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create the video" }).click();
      await page.getByText(/^at most \d+ credits$/).waitFor();
      await expectAccessible(page);
      await page.getByText(/^\d[\d,]* left$/).waitFor({ timeout: MAKING_MS });
      await playUntilReady(page.locator("video"));
      await expectAccessible(page);

      const folder = mkdtempSync(join(tmpdir(), "bursar-playground-"));
      await Bun.write(join(folder, picture.name), picture.buffer);
      const reply = JSON.parse(await runCurl(page, organization.key, folder));
      rmSync(folder, { recursive: true });
      expect(reply).toHaveProperty("credits_estimate");
      const command = await textOf(page.locator(".curl:visible pre").first());
      for (const part of ['"omni_task": "reference_to_video"', '"seed": 7']) expect(command).toContain(part);

      await page.locator(".made").getByRole("link", { name: "Library" }).click();
      await page.waitForURL(/\/console\/library\/[0-9a-f-]{36}$/);
      await page.getByRole("dialog", { name: "Video" }).getByText("Video without a prompt").waitFor();
      await page.goBack();
      await page.locator(".made video").waitFor();
    },
    TEST_LIMIT_MS,
  );

  test("a file that is too large is refused before it is sent", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground/video");
    const folder = mkdtempSync(join(tmpdir(), "bursar-playground-"));
    const video = join(folder, "long.mp4");
    writeFileSync(video, "");
    truncateSync(video, 26 * 1024 * 1024);
    await page.getByLabel("Video to start from").setInputFiles(video);
    await page.getByText("long.mp4 is too large: 25 MB at most.").waitFor();
    rmSync(folder, { recursive: true });
    expect(await page.getByLabel("Keep the video's own sound").count()).toBe(0);
  });
});
