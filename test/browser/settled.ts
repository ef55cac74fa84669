import type { Page } from "playwright-core";

/** Maximum number of window heights to scroll, because a list may be endless. */
const MOST_STEPS = 40;

/** Resolves once the page has all its data and shows no loading state. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(
    () => document.querySelector(".skeleton, [role='status'][aria-label='Loading']") === null,
  );
}

/** Like `untilLoaded`, and waits for images that load only when scrolled to. */
export async function untilShown(page: Page): Promise<void> {
  await untilLoaded(page);
  await page.evaluate(async (steps) => {
    const { documentElement } = document;
    for (let step = 0; step < steps && step * innerHeight < documentElement.scrollHeight; step++) {
      scrollTo({ top: step * innerHeight, behavior: "instant" });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    scrollTo({ top: 0, behavior: "instant" });
    // Otherwise an image far down the page might be drawn after the screenshot.
    for (const picture of document.images) picture.decoding = "sync";
    await document.fonts.ready;
  }, MOST_STEPS);
  await page.waitForFunction(() => {
    const pictures = [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    // A video shows a placeholder there until its preview image is loaded.
    return pictures && document.querySelector("div.tile-media") === null;
  });
}
