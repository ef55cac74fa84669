import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type OpenAI from "openai";
import type { Page } from "playwright-core";
import { describeInBrowser } from "./browser.ts";

type Called = { readonly baseURL: string; readonly apiKey: string };

let site: Bun.Server<undefined>;
let client: string;

beforeAll(async () => {
  const page = "<!doctype html><title>An app</title><link rel=icon href=data:,><h1>An app</h1>";
  const headers = { "content-type": "text/html" };
  site = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(page, { headers }) });
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "openai-in-page.ts")],
    target: "browser",
  });
  client = (await built.outputs[0]?.text()) ?? "";
});

afterAll(() => site.stop(true));

describeInBrowser("a web app of another origin", (console) => {
  async function openApp(): Promise<Page> {
    const page = await console.open();
    await page.goto(site.url.href);
    await page.evaluate(`${client};0`);
    return page;
  }

  test("calls the gateway with the official client: a stream, its headers, an image, and an error", async () => {
    const { key } = await console.gateway.found();
    const page = await openApp();
    console.forgive(/status of 404/);
    const called = { baseURL: `${console.gateway.origin}/v1`, apiKey: key };
    const seen = await page.evaluate(async ({ baseURL, apiKey }: Called) => {
      const { OpenAI: Client } = globalThis as unknown as { OpenAI: typeof OpenAI };
      const openai = new Client({ baseURL, apiKey, dangerouslyAllowBrowser: true, maxRetries: 0 });
      const messages = [{ role: "user" as const, content: "What is 6 times 7?" }];
      const { data: stream, response } = await openai.chat.completions
        .create({ model: "svc-code", messages, stream: true })
        .withResponse();
      let text = "";
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      const made = await openai.images.generate({ model: "svc-image", prompt: "A lighthouse" });
      const image = await fetch(made.data?.[0]?.url ?? "");
      const refused = await openai.chat.completions
        .create({ model: "no-such-model", messages })
        .catch((error: { status?: number }) => error.status);
      const missing = await openai.embeddings
        .create({ model: "svc-code", input: "Hello" })
        .catch((error: { status?: number; message?: string }) => `${error.status} ${error.message}`);
      return {
        missing,
        text,
        requestId: response.headers.get("x-request-id"),
        imageType: (await image.blob()).type,
        refused,
      };
    }, called);
    expect(seen.text).toContain("42");
    expect(seen.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen.imageType).toStartWith("image/");
    expect(seen.refused).toBe(404);
    expect(seen.missing).toMatch(/^404 .*Embeddings are not offered/);
  });

  test("cannot read the console, signed in or not", async () => {
    const page = await console.openAs(await console.gateway.found(), "admin");
    await page.goto(site.url.href);
    console.forgive(/CORS policy|Failed to load resource/);
    const read = await page.evaluate(async (origin: string) => {
      const wayOf = (credentials: RequestCredentials) =>
        fetch(`${origin}/console/api/session`, { credentials }).then(
          () => "read",
          () => "refused",
        );
      return [await wayOf("include"), await wayOf("omit")];
    }, console.gateway.origin);
    expect(read).toEqual(["refused", "refused"]);
  });
});
