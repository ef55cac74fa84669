import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";
import { playUntilReady, showUntilReady } from "./media.ts";

const DARK_PHONE = { ...PHONE, colorScheme: "dark" } as const;
const MAKING_MS = 30_000;

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** The command that the page shows, run by a shell. */
async function runCurl(page: Page, key: string): Promise<string> {
  await page.locator("summary:visible", { hasText: "The same call" }).click();
  const curl = await textOf(page.locator(".curl:visible pre").first());
  const child = Bun.spawn(["bash", "-c", curl], {
    env: { PATH: process.env["PATH"] ?? "", BURSAR_API_KEY: key },
    stdout: "pipe",
    stderr: "ignore",
  });
  return new Response(child.stdout).text();
}

async function make(page: Page, prompt: RegExp, words: string, action: string): Promise<void> {
  await page.getByLabel(prompt).fill(words);
  await page.getByRole("button", { name: action }).click();
  await page.getByText(/^\d[\d,]* left$/).waitFor({ timeout: MAKING_MS });
}

describeInBrowser("the playground", (console) => {
  test("a chat is streamed, remembers what was said, and shows its cost, what is left and what was saved", async () => {
    const organization = await console.gateway.found({ credits: 5_000 });
    const page = await console.openAs(organization, "member", "/playground");
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
    await expectAccessible(page);
    await page.getByLabel("System text").fill("Be brief.");
    await page.getByLabel("Efficiency").selectOption("structural");
    await page.getByLabel("Most tokens").fill("100");
    await say(page, "My name is Ida's cat.");
    await page.getByText("4,999 left").waitFor();
    await page.getByText("1 credit", { exact: true }).waitFor();
    await page.getByText("tokens saved").waitFor();
    await say(page, "What is my name?");
    await page.getByText("4,998 left").waitFor();
    await expectAccessible(page);

    const output = await runCurl(page, organization.key);
    expect(output).toContain("event: done");
    const command = await textOf(page.locator(".curl pre"));
    for (const part of ["X-Efficiency: structural", '"max_tokens": 100', "Be brief.", "$BURSAR_API_KEY"]) {
      expect(command).toContain(part);
    }
    expect(command).toContain(`My name is Ida'\\''s cat.`);

    await page.getByRole("link", { name: "Receipt" }).first().click();
    await page.waitForURL(/\/console\/usage\/[0-9a-f-]{36}$/);
  });

  test("an answer can be stopped, and what it cost is said", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await say(page, "[sandbox:delay=60s] Tell me a long story about a harbour.");
    await page.locator(".by-model", { hasText: "The sandbox" }).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.getByText("1 credit", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Receipt" }).waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
  });

  test("what goes wrong is said beside a way on, and nothing is lost", async () => {
    console.forgive(/status of (402|502)/);
    const poor = await console.gateway.found({ credits: 0, plan: "free" });
    const page = await console.openAs(poor, "owner", "/playground", DARK_PHONE);
    await say(page, "hello");
    await page.getByRole("link", { name: "Get credits" }).waitFor();
    await expectAccessible(page);
    await page.goto("/console/playground/image");
    await page.getByLabel("What the image").fill("a boat");
    await page.getByRole("button", { name: "Make the image" }).click();
    await page.getByRole("link", { name: "Get credits" }).waitFor();
    expect(await page.getByLabel("What the image").inputValue()).toBe("a boat");

    const rich = await console.gateway.found();
    const other = await console.openAs(rich, "owner", "/playground");
    await say(other, "[sandbox:error=500]");
    await other.getByRole("button", { name: "Try again" }).waitFor();
    await say(other, "hello");
    await other.getByText("9,999 left").waitFor();
    expect(await other.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("a conversation is still there after a look at another kind", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await say(page, "What is 6 times 7?");
    await page.getByText("9,999 left").waitFor();
    for (const kind of ["Image", "Speech", "Music", "Video"]) {
      await page.getByRole("link", { name: kind }).click();
      await page.getByRole("heading", { name: "Nothing made yet" }).filter({ visible: true }).waitFor();
      await expectAccessible(page);
    }
    await page.getByRole("link", { name: "Chat" }).click();
    await page.locator(".by-person", { hasText: "What is 6 times 7?" }).waitFor();
  });

  test("an image is made in the wanted shape, with the same call as a command that works", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "member", "/playground/image");
    await page.getByLabel("Shape").selectOption("16:9");
    await make(page, /^What the image/, `A boat called "L'Étoile" <img src=x>`, "Make the image");
    await showUntilReady(page.locator("img.shown"));
    await expectAccessible(page);
    expect(JSON.parse(await runCurl(page, organization.key))).toHaveProperty("image_url");
  });

  test.each([
    ["speech", /^What is to be said/, "Say it"],
    ["music", /^What the music/, "Make the music"],
  ] as const)("%s is made and plays", async (kind, label, action) => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", `/playground/${kind}`, DARK_PHONE);
    if (kind === "music") await page.getByLabel("Seconds").fill("2");
    await make(page, label, "Good morning, harbour.", action);
    await playUntilReady(page.locator("audio"));
    await expectAccessible(page);
    expect(JSON.parse(await runCurl(page, organization.key))).toHaveProperty("audio_url");
  });

  test("a video is watched while it is made, and plays", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground/video", DARK_PHONE);
    await page.getByLabel("Seconds").fill("1");
    await page.getByLabel("With sound").check();
    await page.getByLabel(/^What the video/).fill("Waves at night");
    await page.getByRole("button", { name: "Make the video" }).click();
    await page.getByText(/^at most \d+ credits$/).waitFor();
    await expectAccessible(page);
    await page.getByText(/^\d[\d,]* left$/).waitFor({ timeout: MAKING_MS });
    await playUntilReady(page.locator("video"));
    await expectAccessible(page);
    expect(JSON.parse(await runCurl(page, organization.key))).toHaveProperty("credits_estimate");
  });
});
