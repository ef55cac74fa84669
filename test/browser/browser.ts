import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/**
 * A Chromium that ships inside npm: nothing to install by hand, nothing fetched. The package's own arguments switch
 * the guards of the web off, which are what these tests are about.
 */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--mute-audio"],
    headless: true,
  });
}
