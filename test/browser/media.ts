import type { Locator } from "playwright-core";

/** Plays it muted, because a page may not make sound before the user interacts; resolves after `canplay`. */
export async function playUntilReady(player: Locator): Promise<void> {
  await player.evaluate((media) => {
    const element = media as unknown as {
      muted: boolean;
      readyState: number;
      error: { message: string } | null;
      play(): Promise<void>;
    };
    element.muted = true;
    return element.play().then(() => {
      if (element.readyState < 3)
        throw new Error(element.error?.message ?? "it plays, but has nothing to play");
    });
  });
}

/** Throws if the bytes are not an image. */
export async function showUntilReady(image: Locator): Promise<void> {
  await image.evaluate((element) => (element as unknown as { decode(): Promise<void> }).decode());
}
