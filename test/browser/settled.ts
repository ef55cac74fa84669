import type { Page } from "playwright-core";

/** Window heights that are scrolled at most; a list may go on for ever. */
const MOST_STEPS = 40;

/** The page stands with all its data: nothing says any more that it is being loaded. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(
    () => document.querySelector(".skeleton, [role='status'][aria-label='Loading']") === null,
  );
}

/** And so do the pictures that are only loaded when somebody scrolls to them. */
export async function untilShown(page: Page): Promise<void> {
  await untilLoaded(page);
  await page.evaluate(async (steps) => {
    const { documentElement } = document;
    for (let step = 0; step < steps && step * innerHeight < documentElement.scrollHeight; step++) {
      scrollTo({ top: step * innerHeight, behavior: "instant" });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    scrollTo({ top: 0, behavior: "instant" });
    // Else one that is far below would be drawn after the photograph.
    for (const picture of document.images) picture.decoding = "sync";
    await document.fonts.ready;
  }, MOST_STEPS);
  await page.waitForFunction(() => {
    const pictures = [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    // A video has its place there until a picture of it is.
    return pictures && document.querySelector("div.tile-media") === null;
  });
}
