import type { Canvas } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { css, darken, lighten, mix, type Rgb, saturate } from "../colour.ts";
import { sampleOf } from "./sample.ts";

/** `count` is strokes along the shorter side; length and width are shares of that side. First broad, then fine. */
const COATS = [
  { count: 30, length: 0.085, width: 0.034, alpha: 1, sway: 0.5 },
  { count: 54, length: 0.05, width: 0.016, alpha: 0.9, sway: 0.4 },
  { count: 84, length: 0.034, width: 0.0105, alpha: 0.85, sway: 0.3 },
] as const;

/** Repaints the picture in brush strokes that follow its shapes. */
export function paintBrushwork(canvas: Canvas, random: Random): void {
  const sample = sampleOf(canvas, 480);
  const context = canvas.getContext("2d");
  const short = Math.min(canvas.width, canvas.height);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.lineCap = "round";
  for (const coat of COATS) {
    const step = short / coat.count;
    for (let y = 0; y < canvas.height + step; y += step) {
      for (let x = 0; x < canvas.width + step; x += step) {
        const [left, top] = [x + (random() - 0.5) * step * 1.6, y + (random() - 0.5) * step * 1.6];
        const [across, down] = [left / canvas.width, top / canvas.height];
        const turn = sample.grainAt(across, down) + (random() - 0.5) * coat.sway;
        const reach = coat.length * short * (0.45 + random() * 0.6);
        context.strokeStyle = css(varied(sample.colourAt(across, down), random), coat.alpha);
        context.lineWidth = coat.width * short * (0.6 + random() * 0.7);
        context.beginPath();
        context.moveTo(left - (Math.cos(turn) * reach) / 2, top - (Math.sin(turn) * reach) / 2);
        context.lineTo(left + (Math.cos(turn) * reach) / 2, top + (Math.sin(turn) * reach) / 2);
        context.stroke();
      }
    }
  }
  context.restore();
}

/** No two strokes have quite the same colour. */
function varied(colour: Rgb, random: Random): Rgb {
  const lot = random();
  const stronger = saturate(colour, 1.2);
  if (lot < 0.34) return lighten(stronger, random() * 0.14);
  if (lot < 0.68) return darken(stronger, random() * 0.14);
  return mix(stronger, lot < 0.84 ? [255, 190, 90] : [70, 90, 200], random() * 0.12);
}
