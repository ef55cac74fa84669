import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { assert } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { chromiumForTests, launchChromium } from "./chromium.ts";

const TEST_LIMIT_MS = 60_000;

const chromium = await chromiumForTests();

let gateway: TestGateway;
let own: TestOrganization;
let browser: Browser | undefined;
beforeAll(async () => {
  gateway = await startTestGateway();
  own = await gateway.found({ credits: 10_000 });
  if (chromium !== null) browser = await launchChromium(chromium);
}, TEST_LIMIT_MS);
afterAll(async () => {
  await browser?.close();
  await gateway.close();
}, TEST_LIMIT_MS);

type Reply = Readonly<Record<string, unknown>>;

async function ask(path: string, body: object): Promise<Reply> {
  const response = await fetch(`${gateway.origin}/functions/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as Reply;
  expect([response.status, reply]).toEqual([200, reply]);
  return reply;
}

function launched(): Browser {
  assert(browser !== undefined, "a browser");
  return browser;
}

/** Opens the link as a user would. */
async function opened<Seen>(url: unknown, look: (page: Page) => Promise<Seen>): Promise<Seen> {
  const page = await launched().newPage();
  try {
    await page.goto(String(url));
    return await look(page);
  } finally {
    await page.close();
  }
}

function pictureOn(page: Page) {
  return page.evaluate(() => {
    const [image] = document.images;
    return { width: image?.naturalWidth ?? 0, height: image?.naturalHeight ?? 0 };
  });
}

/**
 * Presses play and returns the duration once it plays. The page may run no script, so this is evaluated from outside.
 */
async function soundOn(page: Page): Promise<number> {
  await page.evaluate(() => void document.querySelector("video")?.play());
  for (let looks = 0; looks < 1_000; looks++) {
    const { seconds, played } = await page.evaluate(() => {
      const media = document.querySelector("video");
      return { seconds: media?.duration ?? 0, played: media?.currentTime ?? 0 };
    });
    if (played > 0) return seconds;
    await Bun.sleep(10);
  }
  throw new Error("it does not play");
}

describe.skipIf(chromium === null)("with nothing configured, a browser opens", () => {
  test(
    "an image of the requested aspect ratio",
    async () => {
      const prompt = "A lighthouse on a cliff at dusk";
      const reply = await ask("api-v1-images", { model: "svc-image", prompt, aspect_ratio: "16:9" });
      expect([reply["model"], reply["credits_charged"]]).toEqual(["sandbox-image", 4]);
      const { width, height } = await opened(reply["image_url"], pictureOn);
      expect(width / height).toBeCloseTo(16 / 9, 1);
      expect(Math.abs(Math.sqrt(width * height) - 1_024)).toBeLessThan(30);
    },
    TEST_LIMIT_MS,
  );

  test(
    "speech that plays",
    async () => {
      const prompt = "Welcome aboard. The ferry leaves in ten minutes.";
      const reply = await ask("api-v1-audio", { model: "sandbox-voice", prompt });
      expect([reply["audio_kind"], reply["credits_charged"]]).toEqual(["speech", 1]);
      const seconds = await opened(reply["audio_url"], soundOn);
      expect(seconds > 1.5 && seconds < 8).toBe(true);
    },
    TEST_LIMIT_MS,
  );

  test(
    "music of the requested length that plays",
    async () => {
      const fields = { audio_kind: "music", duration_seconds: 5, prompt: "A calm evening by the sea" };
      const reply = await ask("api-v1-audio", { model: "sandbox-music", ...fields });
      expect([reply["audio_kind"], reply["credits_charged"]]).toEqual(["music", 5]);
      expect(Math.abs((await opened(reply["audio_url"], soundOn)) - 5)).toBeLessThan(0.3);
    },
    TEST_LIMIT_MS,
  );
});

test(
  "[sandbox:error=500] in a prompt is a 502 and costs nothing",
  async () => {
    const poor = await gateway.found({ credits: 100 });
    for (const [path, model, more] of [
      ["api-v1-images", "sandbox-image", {}],
      ["api-v1-audio", "sandbox-voice", {}],
      ["api-v1-audio", "sandbox-music", { audio_kind: "music" }],
    ] as const) {
      const response = await fetch(`${gateway.origin}/functions/v1/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${poor.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, prompt: "[sandbox:error=500] A lighthouse", ...more }),
      });
      expect(response.status).toBe(502);
    }
    const { anytimeAvailable } = await gateway.services.ledger.account(poor.id);
    expect(Number(anytimeAvailable)).toBe(100);
  },
  TEST_LIMIT_MS,
);
