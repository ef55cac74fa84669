import type { GivenFile } from "../../../../gateway/src/contract/index.ts";
import { withoutLargeChunks } from "../../media/lean-png.ts";
import { RenderRefusal } from "../../media/render-refusal.ts";
import { clamp, type Tint } from "./read-brief.ts";

const SAMPLE_SIDE = 24;

/** What images add to a mood: bright ones brighten it, vivid and warm ones give it energy. Null without images. */
export async function tintOf(images: readonly GivenFile[]): Promise<Tint | null> {
  if (images.length === 0) return null;
  const tints: Tint[] = [];
  for (const image of images) tints.push(await tintOfImage(image));
  const mean = (pick: (tint: Tint) => number) =>
    tints.reduce((sum, tint) => sum + pick(tint), 0) / tints.length;
  return { brightness: mean(({ brightness }) => brightness), energy: mean(({ energy }) => energy) };
}

async function tintOfImage({ bytes }: GivenFile): Promise<Tint> {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const canvas = createCanvas(SAMPLE_SIDE, SAMPLE_SIDE);
  const context = canvas.getContext("2d");
  try {
    context.drawImage(await loadImage(withoutLargeChunks(bytes)), 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  } catch {
    throw new RenderRefusal("A reference image cannot be read.");
  }
  return tintOfPixels(context.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE).data);
}

export function tintOfPixels(pixels: Uint8ClampedArray): Tint {
  let light = 0;
  let vivid = 0;
  let warmth = 0;
  const count = pixels.length / 4;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    light += (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    vivid += (Math.max(red, green, blue) - Math.min(red, green, blue)) / 255;
    warmth += (red - blue) / 255;
  }
  return {
    brightness: clamp((light / count - 0.45) * 2.4),
    energy: clamp((vivid / count - 0.35) * 1.6 + (warmth / count) * 0.8),
  };
}
