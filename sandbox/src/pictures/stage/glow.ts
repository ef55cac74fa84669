import type { SKRSContext2D } from "@napi-rs/canvas";
import { css, type Rgb } from "../colour.ts";

/** Light or shade, strongest at its core and fading to its edge. */
export function paintGlow(
  context: SKRSContext2D,
  { x, y, core = 0, radius }: { x: number; y: number; core?: number; radius: number },
  colour: Rgb,
  alpha: number,
): void {
  const glow = context.createRadialGradient(x, y, core, x, y, radius);
  glow.addColorStop(0, css(colour, alpha));
  glow.addColorStop(1, css(colour, 0));
  context.fillStyle = glow;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}
