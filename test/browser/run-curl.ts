import type { Page } from "playwright-core";
import { textOf } from "./browser.ts";

/** Runs the curl command that the page shows, in a shell. */
export async function runCurl(page: Page, key: string, folder?: string): Promise<string> {
  await page.locator("summary:visible", { hasText: "The same call" }).click();
  const curl = await textOf(page.locator(".curl:visible pre").first());
  const child = Bun.spawn(["bash", "-c", curl], {
    env: { PATH: process.env["PATH"] ?? "", BURSAR_KEY: key },
    ...(folder === undefined ? {} : { cwd: folder }),
    stdout: "pipe",
    stderr: "ignore",
  });
  return new Response(child.stdout).text();
}
