/** Screenshots of the console: every page, light and dark, on desktop and phone. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { findChromium, launchChromium } from "../test/browser/chromium.ts";
import { untilLoaded, untilShown } from "../test/browser/settled.ts";
import { type GalleryGateway, startGalleryGateway } from "./gallery-gateway.ts";
import type { Shown } from "./gallery-page.ts";

const THEMES = ["light", "dark"] as const;
const WIDTHS = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } };
const WAIT_LIMIT_MS = 30_000;

/** `before` does what is needed to show more than the URL alone would. */
type Stop = { readonly name: string; readonly path: string; readonly before?: (page: Page) => Promise<void> };

const DOORS: readonly Stop[] = [
  { name: "sign in", path: "" },
  {
    name: "a dead link",
    path: "/link/none",
    before: async (page) => {
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
];

const PAGES: readonly Stop[] = [
  { name: "overview", path: "" },
  { name: "playground chat", path: "/playground/chat" },
  { name: "playground image", path: "/playground/image" },
  { name: "playground speech", path: "/playground/speech" },
  { name: "playground music", path: "/playground/music" },
  { name: "playground video", path: "/playground/video" },
  { name: "library", path: "/library" },
  { name: "usage", path: "/usage" },
  { name: "models", path: "/models" },
  { name: "keys", path: "/keys" },
  {
    name: "keys, a new one",
    path: "/keys",
    before: async (page) => {
      await page.getByRole("button", { name: "New key" }).first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "members", path: "/members" },
  { name: "billing", path: "/billing" },
  { name: "billing, 12,000 credits short", path: "/billing?credits=12000" },
  { name: "settings", path: "/settings" },
  { name: "account", path: "/account" },
];

/** Null if no browser can run. */
export async function consoleGallery(folder: string): Promise<Shown[] | null> {
  const chromium = await findChromium();
  if (chromium === null) return null;
  mkdirSync(join(folder, "console"), { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), "bursar-gallery-"));
  const gateway = await startGalleryGateway(dataDir);
  const browser = await launchChromium(chromium);
  try {
    await gateway.fill();
    return await photograph({ browser, gateway, folder });
  } finally {
    await browser.close();
    await gateway.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Studio = { readonly browser: Browser; readonly gateway: GalleryGateway; readonly folder: string };

async function photograph({ browser, gateway, folder }: Studio): Promise<Shown[]> {
  const state = await signedIn(browser, gateway);
  const shown: Shown[] = [];
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    for (const theme of THEMES) {
      const look = {
        viewport,
        colorScheme: theme,
        baseURL: gateway.origin,
        reducedMotion: "reduce",
      } as const;
      const outside = await browser.newContext(look);
      const inside = await browser.newContext({ ...look, storageState: state });
      for (const { stop, context } of [
        ...DOORS.map((stop) => ({ stop, context: outside })),
        ...PAGES.map((stop) => ({ stop, context: inside })),
      ]) {
        const file = `console/${stop.name.replace(/[^a-z0-9]+/g, "-")}-${theme}-${width}.png`;
        await shoot(context, stop, join(folder, file));
        shown.push({
          section: `console, ${width}, ${theme}`,
          name: stop.name,
          file,
          mediaType: "image/png",
          note: theme,
        });
        console.log(`console: ${file}`);
      }
      await Promise.all([outside.close(), inside.close()]);
    }
  }
  return shown;
}

async function shoot(context: BrowserContext, { path, before }: Stop, file: string): Promise<void> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  await page.goto(`/console${path}`);
  if (before) {
    await untilLoaded(page);
    await before(page);
  } else {
    await untilShown(page);
  }
  await page.screenshot({ path: file, fullPage: before === undefined });
  await page.close();
}

async function signedIn(browser: Browser, { origin, link }: GalleryGateway) {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("navigation").waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}
