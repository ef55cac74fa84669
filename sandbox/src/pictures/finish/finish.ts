import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import { createRandom } from "../../random.ts";
import { css } from "../colour.ts";
import { hasSky, type Stage } from "../stage/stage.ts";

const GRAIN_PIXELS = 512;
const GRAIN_ALPHA = 9;

/** Light from the sun, darker corners and a tint make one picture of many shapes. */
export function paintAtmosphere(context: SKRSContext2D, stage: Stage): void {
  const { width, height, light, orb } = stage;
  context.save();
  if (hasSky(stage)) {
    context.globalCompositeOperation = "soft-light";
    const spill = context.createRadialGradient(orb.x, orb.y, 40, orb.x, orb.y, Math.max(width, height) * 0.9);
    spill.addColorStop(0, css(light.glow, 0.5));
    spill.addColorStop(1, css(light.skyTop, 0.22));
    context.fillStyle = spill;
    context.fillRect(0, 0, width, height);
  }
  context.restore();
  paintCorners(context, stage);
}

export function paintCorners(context: SKRSContext2D, stage: Stage): void {
  const { width, height } = stage;
  const reach = Math.hypot(width, height) / 2;
  const corners = context.createRadialGradient(
    width / 2,
    height * 0.48,
    reach * 0.55,
    width / 2,
    height * 0.48,
    reach * 1.08,
  );
  corners.addColorStop(0, "rgba(16,14,40,0)");
  corners.addColorStop(1, "rgba(16,14,40,0.4)");
  context.fillStyle = corners;
  context.fillRect(0, 0, width, height);
}

let grain: Canvas | null = null;

/** Fine noise: flat colours look printed rather than plastic, and gradients show no bands. */
export function paintGrain(
  context: SKRSContext2D,
  size: { readonly width: number; readonly height: number },
): void {
  grain ??= makeGrain();
  const pattern = context.createPattern(grain, "repeat");
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = pattern;
  context.fillRect(0, 0, size.width, size.height);
  context.restore();
}

function makeGrain(): Canvas {
  const canvas = createCanvas(GRAIN_PIXELS, GRAIN_PIXELS);
  const context = canvas.getContext("2d");
  const image = context.createImageData(GRAIN_PIXELS, GRAIN_PIXELS);
  const random = createRandom(7);
  for (let at = 0; at < image.data.length; at += 4) {
    const tone = random() < 0.5 ? 0 : 255;
    image.data[at] = tone;
    image.data[at + 1] = tone;
    image.data[at + 2] = tone;
    image.data[at + 3] = random() * GRAIN_ALPHA;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
