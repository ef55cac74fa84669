import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { assetUrl } from "../../src/assets/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { publishTestAsset, TINY_PNG } from "../published-asset.ts";
import { startTestBucket, type TestBucket } from "../s3-server.ts";
import { openBrowser } from "./chromium.ts";

const TEST_LIMIT_MS = 60_000;

let bucket: TestBucket;
let gateway: TestGateway;
let own: TestOrganization;
let browser: Browser;
beforeAll(async () => {
  bucket = await startTestBucket();
  gateway = await startTestGateway(bucket.environment);
  own = await gateway.found();
  browser = await openBrowser();
}, TEST_LIMIT_MS);
afterAll(async () => {
  await browser.close();
  await gateway.close();
  await bucket.close();
}, TEST_LIMIT_MS);

/** Twelve and a half seconds of silence; enough bytes to come in several pieces. */
function silence(): Uint8Array<ArrayBuffer> {
  const samples = 600_000;
  const bytes = new Uint8Array(44 + samples * 4);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string) => bytes.set(new TextEncoder().encode(word), at);
  text(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, 48_000, true);
  view.setUint32(28, 192_000, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, samples * 4, true);
  return bytes;
}

/** The page runs no script of its own, so it is asked from outside. */
function mediaOn(page: Page): Promise<{ readonly seconds: number; readonly at: number }> {
  return page.evaluate(() => {
    const media = document.querySelector("video");
    return { seconds: media?.duration ?? 0, at: media?.currentTime ?? 0 };
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_000; looks++) {
    if (await isSo()) return;
    await Bun.sleep(10);
  }
  throw new Error("it did not come to that");
}

test(
  "a sound in a bucket plays and can be sought in, on a page of its own and on somebody's",
  async () => {
    const asset = await publishTestAsset(gateway, own, { type: "audio", bytes: silence() });
    const page = await browser.newPage();
    await page.goto(assetUrl(gateway.origin, asset));
    await page.evaluate(() => void document.querySelector("video")?.play());
    await until(async () => (await mediaOn(page)).at > 0);
    await page.evaluate(() => {
      const media = document.querySelector("video");
      if (media !== null) media.currentTime = 11;
    });
    await until(async () => (await mediaOn(page)).at > 11);
    expect((await mediaOn(page)).seconds).toBe(12.5);
    await page.close();
    const other = await browser.newPage();
    const embedded = await other.evaluate(
      (url) =>
        new Promise((resolve) => {
          const media = new Audio(url);
          media.addEventListener("loadedmetadata", () => resolve(media.duration));
          media.addEventListener("error", () => resolve(media.error?.message));
        }),
      assetUrl(gateway.origin, asset),
    );
    expect(embedded).toBe(12.5);
    await other.close();
  },
  TEST_LIMIT_MS,
);

test(
  "a picture that is also a page or a script is a picture only",
  async () => {
    const script = new TextEncoder().encode(
      "\n<html><script>document.title='taken'</script>*/=1;globalThis.taken=1",
    );
    const bytes = new Uint8Array([...TINY_PNG, ...script]);
    const url = assetUrl(gateway.origin, await publishTestAsset(gateway, own, { bytes }));
    const page = await browser.newPage();
    await page.goto(url);
    expect(await page.evaluate(() => [document.images.length, document.scripts.length])).toEqual([1, 0]);
    expect(await page.title()).not.toContain("taken");
    await page.close();
    const other = await browser.newPage();
    const ran = await other.evaluate(
      (src) =>
        new Promise((resolve) => {
          const element = document.createElement("script");
          element.src = src;
          element.onload = () => resolve("ran");
          element.onerror = () => resolve("refused");
          document.head.append(element);
        }),
      url,
    );
    expect(ran).toBe("refused");
    await other.close();
  },
  TEST_LIMIT_MS,
);
