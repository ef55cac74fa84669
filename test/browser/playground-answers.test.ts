import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, PHONE, textOf } from "./browser.ts";

const WIDE_TABLE = `| ${"a column | ".repeat(12)}\n|${"---|".repeat(12)}\n| ${"a cell with words | ".repeat(12)}`;
const LONG_LINE = `const line = "${"x".repeat(400)}";`;
const ANSWER = `# Harbours

Here is **what** a *harbour* needs, with \`code\` and ~~nothing~~ else. See [the list](https://harbours.example/list).

### In order

1. A wall
   - of stone
   - or of [wood](javascript:alert(1))
2. A light
   > Seen from afar.

${WIDE_TABLE}

\`\`\`ts
${LONG_LINE}
\`\`\`

---

![a picture](https://pictures.example/p.png) <img src="https://pictures.example/q.png" onerror="alert(1)">

- שלום עולם
- سلام
`;

/** One event of the stream, as the gateway writes it. */
function eventOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const BEGUN = eventOf("connection_established", { request_id: crypto.randomUUID() });
const DONE = eventOf("done", {
  request_id: crypto.randomUUID(),
  model: "sandbox-chat",
  finish_reason: "stop",
  usage: { input_tokens: 10, output_tokens: 20 },
  efficiency: {
    original_estimated_tokens: 10,
    compacted_estimated_tokens: 10,
    tokens_saved: 0,
    actions: [],
  },
  credits_charged: 1,
  balance: { subscription: 0, anytime: 100 },
});

/** Replaces the model's answer, because the sandbox answers only in plain text. */
async function ask(page: Page, answer: string): Promise<void> {
  const body = BEGUN + eventOf("content", { content: answer }) + DONE;
  await page.route("**/console/play/api-v1-chat", (route) =>
    route.fulfill({ contentType: "text/event-stream", body }),
  );
  await say(page);
}

async function say(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill("What does a **harbour** need?");
  await page.keyboard.press("Enter");
}

const TOO_WIDE_PX = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
const EMPTY_BELOW_PX = "document.documentElement.scrollHeight - document.body.offsetHeight";

describeInBrowser("answers in the playground", (console) => {
  test.each([
    { colorScheme: "light", viewport: { width: 1440, height: 900 } },
    { ...PHONE, colorScheme: "dark" },
  ] as const)(
    "are rendered as Markdown, accessibly and without loading foreign content, at %p",
    async (options) => {
      const organization = await console.gateway.found();
      const page = await console.openAs(organization, "owner", "/playground", options);
      const strangers: string[] = [];
      page.on(
        "request",
        (request) => void strangers.push(...(request.url().match(/^.*\.example\b.*$/) ?? [])),
      );
      await ask(page, ANSWER);
      await page.getByText("100 left").waitFor();
      const answer = page.locator(".by-model");
      await answer.getByRole("heading", { name: "Harbours", level: 2 }).waitFor();
      await answer.getByRole("heading", { name: "In order", level: 3 }).waitFor();
      await answer
        .getByRole("listitem")
        .filter({ hasText: /^of stone$/ })
        .waitFor();
      const links = await answer
        .locator(".markdown a")
        .evaluateAll((all) => all.map(({ textContent }) => textContent));
      expect(links).toEqual(["the list", "a picture", "https://pictures.example/q.png"]);
      expect(await answer.locator("img").count()).toBe(0);
      expect(await answer.getByText('onerror="alert(1)"').count()).toBe(1);
      expect(await textOf(page.locator(".by-person"))).toContain("**harbour**");
      await expectAccessible(page);
      // What is too wide or too long scrolls by itself, not with the page.
      expect(await page.evaluate(TOO_WIDE_PX)).toBeLessThanOrEqual(0);
      expect(await page.evaluate(EMPTY_BELOW_PX)).toBeLessThanOrEqual(0);
      expect(await page.locator(".chat-log").evaluate((log) => log.scrollWidth - log.clientWidth)).toBe(0);
      const frame = answer.getByRole("figure", { name: "Table" });
      expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
      expect(strangers).toEqual([]);
    },
  );

  test("an Enter that confirms a word of an input method sends nothing, however the browser reports it", async () => {
    const page = await console.openAs(await console.gateway.found(), "owner", "/playground");
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("にほん");
    const wereTaken = await box.evaluate((element) =>
      [{ isComposing: true }, { keyCode: 229 }].map((told) => {
        const pressed = { key: "Enter", bubbles: true, cancelable: true, ...told };
        return !element.dispatchEvent(new KeyboardEvent("keydown", pressed));
      }),
    );
    expect([wereTaken, await box.inputValue()]).toEqual([[false, false], "にほん"]);
  });

  test("can be copied as Markdown, with code copied alone, and shown as written", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await ask(page, ANSWER);
    await page.getByRole("button", { name: "Copy the answer" }).click();
    await page.getByRole("button", { name: "the answer copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(ANSWER);
    await page.getByRole("button", { name: "Copy the code" }).click();
    await page.getByRole("button", { name: "the code copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(LONG_LINE);
    const asWritten = page.getByRole("button", { name: "Show as written" });
    await asWritten.click();
    await page.locator(".by-model", { hasText: "Here is **what** a *harbour* needs" }).waitFor();
    expect(await asWritten.getAttribute("aria-pressed")).toBe("true");
    await expectAccessible(page);
    await asWritten.click();
    await page.getByRole("heading", { name: "Harbours" }).waitFor();
  });

  test("are rendered while they stream, and a long one stays scrolled to its end", async () => {
    const organization = await console.gateway.found();
    const page = await console.openAs(organization, "owner", "/playground");
    await page.evaluate(SLOW_MODEL);
    await page.evaluate(`send(${JSON.stringify(BEGUN)})`);
    await say(page);
    const answer = page.locator(".by-model");
    const write = (content: string) =>
      page.evaluate(`send(${JSON.stringify(eventOf("content", { content }))})`);
    await answer.getByRole("img", { name: "Writing" }).waitFor();
    await write("A **bo");
    await answer.locator("strong", { hasText: /^bo$/ }).waitFor();
    await write("ld** word\n\n| a | b");
    await answer.getByRole("columnheader", { name: "b" }).waitFor();
    await write(" |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1");
    await answer.locator("pre", { hasText: "x = 1" }).waitFor();
    await expectAccessible(page);
    await write("\n```\n\n");
    await page.evaluate(`sendLong(${JSON.stringify(ANSWER)})`);
    await page.evaluate(`send(${JSON.stringify(DONE)})`);
    await page.getByText("100 left").waitFor();
    expect(await answer.getByRole("heading", { name: "Harbours" }).count()).toBeGreaterThan(50);
    expect(
      await page.locator(".chat-log").evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight),
    ).toBeLessThan(2);
  });
});

/** Runs in the page: the test decides what arrives and when, in pieces as small as a model's. */
const SLOW_MODEL = `{
  const bytes = new TextEncoder();
  let stream;
  const body = new ReadableStream({ start: (controller) => { stream = controller; } });
  const own = fetch;
  globalThis.fetch = async (address, init) => String(address).includes("/console/play/")
    ? new Response(body, { headers: { "content-type": "text/event-stream" } })
    : own(address, init);
  globalThis.send = (text) => stream.enqueue(bytes.encode(text));
  globalThis.sendLong = async (answer) => {
    const long = (answer + "\\n\\n").repeat(Math.ceil(100_000 / answer.length));
    for (let at = 0; at < long.length; at += 1_000) {
      const content = long.slice(at, at + 1_000);
      send("event: content\\ndata: " + JSON.stringify({ content }) + "\\n\\n");
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
}`;
