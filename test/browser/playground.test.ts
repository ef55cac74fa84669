import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";
import { runCurl } from "./run-curl.ts";

const DARK_PHONE = { ...PHONE, colorScheme: "dark" } as const;

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

describeInBrowser("the playground", (console) => {
  test("a chat shows cost, balance and tokens saved, has a working curl command, and is kept on return", async () => {
    const organization = await console.gateway.found({ credits: 5_000 });
    const page = await console.openAs(organization, "member", "/playground");
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
    await expectAccessible(page);
    await page.getByLabel("System prompt").fill("Be brief.");
    await page.getByLabel("Efficiency").selectOption("structural");
    await page.getByLabel("Maximum tokens").fill("100");
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
    for (const part of ["X-Efficiency: structural", '"max_tokens": 100', "Be brief.", "$BURSAR_KEY"]) {
      expect(command).toContain(part);
    }
    expect(command).toContain(`My name is Ida'\\''s cat.`);

    await page.getByRole("link", { name: "Receipt" }).first().click();
    await page.waitForURL(/\/console\/usage\/[0-9a-f-]{36}$/);
    await page.getByRole("dialog", { name: "Receipt" }).getByRole("button", { name: "Close" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Playground" }).click();
    await page.locator(".by-person", { hasText: "What is my name?" }).waitFor();
    expect(await page.title()).toBe("Chat · Playground · Bursar");
  });

  test("an answer can be stopped, and its cost is shown", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await say(page, "[sandbox:delay=60s] Tell me a long story about a harbour.");
    await page.locator(".by-model", { hasText: "The sandbox" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.locator("textarea:focus").waitFor();
    await page.getByText("1 credit", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Receipt" }).waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.getByRole("button", { name: "Start over" }).press("Enter");
    await page.getByRole("heading", { name: "Ask something" }).waitFor();
    await page.locator("textarea:focus").waitFor();
  });

  test("an answer whose connection breaks stays visible, with its cost", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await page.route("**/console/play/api-v1-chat", async (route) => {
      const response = await route.fetch();
      const [body = ""] = (await response.text()).split("event: done");
      await route.fulfill({ response, body });
    });
    await say(page, "hello");
    await page.getByText("The connection was lost in the middle of the answer.").waitFor();
    await page.getByText("Interrupted", { exact: true }).waitFor();
    await page.getByText("1 credit", { exact: true }).waitFor();
    expect(await textOf(page.locator(".by-model .markdown"))).not.toBe("");
    await page.getByRole("link", { name: "Receipt" }).waitFor();
  });

  test("stopping an answer does not send the next message that is already typed", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await say(page, "[sandbox:delay=60s] Tell me a long story about a harbour.");
    await page.locator(".by-model", { hasText: "The sandbox" }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("And one about a ship.");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped", { exact: true }).waitFor();
    await page.getByText("1 credit", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("And one about a ship.");
    expect(await page.locator(".by-person").count()).toBe(1);
  });

  test("errors are shown with a next step, and the typed text is kept", async () => {
    console.forgive(/status of (402|502)/);
    const poor = await console.gateway.found({ credits: 0, plan: "free" });
    const page = await console.openAs(poor, "owner", "/playground", DARK_PHONE);
    await say(page, "hello");
    await page.getByRole("link", { name: "Get credits" }).waitFor();
    await expectAccessible(page);
    await page.goto("/console/playground/image");
    await page.getByLabel("What the image").fill("a boat");
    await page.getByRole("button", { name: "Create the image" }).click();
    await page.getByRole("link", { name: "Get credits" }).waitFor();
    expect(await page.getByLabel("What the image").inputValue()).toBe("a boat");
    await page.getByRole("link", { name: "Get credits" }).click();
    await page.getByText(/\d more credits were needed/).waitFor();

    const rich = await console.gateway.found();
    const other = await console.openAs(rich, "owner", "/playground");
    await say(other, "[sandbox:error=500]");
    await other.getByRole("button", { name: "Try again" }).waitFor();
    await say(other, "hello");
    await other.getByText("9,999 left").waitFor();
    expect(await other.getByRole("button", { name: "Try again" }).count()).toBe(0);
    // What was written can still be read and copied, and the failure is shown with it.
    await other.locator(".by-person", { hasText: "[sandbox:error=500]" }).waitFor();
    expect(await other.locator(".by-model .notice").count()).toBe(1);
  });

  test("a blank prompt is reported beside its field until something is typed", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground/image", DARK_PHONE);
    const prompt = page.getByLabel("What the image");
    await prompt.fill("  ");
    await page.getByRole("button", { name: "Create the image" }).click();
    const problem = page.getByRole("alert").filter({ hasText: "Write at least one word." });
    await problem.waitFor();
    expect(await prompt.getAttribute("aria-invalid")).toBe("true");
    expect(await prompt.evaluate((field) => field.ownerDocument.activeElement === field)).toBe(true);
    await expectAccessible(page);
    await prompt.fill("a boat");
    await problem.waitFor({ state: "detached" });

    await page.goto("/console/playground/speech");
    await page.getByRole("radio", { name: "A dialogue" }).check();
    await page.getByLabel("Line 1", { exact: true }).fill("  ");
    await page.getByRole("button", { name: "Create the speech" }).click();
    await problem.waitFor();
    await expectAccessible(page);
    await page.getByLabel("Line 2", { exact: true }).fill("Good night.");
    await problem.waitFor({ state: "detached" });
  });

  test("a conversation is still there after visiting the other kinds", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await say(page, "What is 6 times 7?");
    await page.getByText("9,999 left").waitFor();
    for (const kind of ["Image", "Speech", "Music", "Video"]) {
      await page.getByRole("link", { name: kind }).click();
      await page.getByRole("heading", { name: "Nothing here yet" }).filter({ visible: true }).waitFor();
      await expectAccessible(page);
    }
    await page.getByRole("link", { name: "Chat" }).click();
    await page.locator(".by-person", { hasText: "What is 6 times 7?" }).waitFor();
  });
});
