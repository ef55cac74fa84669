import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { css, darken, lighten, type Rgb, saturate } from "../colour.ts";
import { blob } from "../stage/paths.ts";
import { sampleOf } from "./sample.ts";

export const PAPER: Rgb = [252, 248, 240];

/** Thin colour is soft: more pixels would only take longer. */
const SHEET_PIXELS = 720;
const COATS = [
  { count: 20, size: 0.065, alpha: 0.16 },
  { count: 38, size: 0.024, alpha: 0.18 },
] as const;

/** Pools of thin colour that run into each other, on paper that stays white at the edges. */
export function paintWash(canvas: Canvas, random: Random, paintLines: (sheet: Canvas) => void): void {
  const sample = sampleOf(canvas, 320);
  const scale = Math.min(1, SHEET_PIXELS / Math.min(canvas.width, canvas.height));
  const [width, height] = [Math.round(canvas.width * scale), Math.round(canvas.height * scale)];
  const short = Math.min(width, height);
  const sheet = createCanvas(width, height);
  const context = sheet.getContext("2d");
  context.fillStyle = css(PAPER);
  context.fillRect(0, 0, width, height);
  // The drawing itself, pale; the pools add variation.
  context.globalAlpha = 0.84;
  context.drawImage(canvas, 0, 0, width, height);
  context.globalAlpha = 1;
  for (const { count, size, alpha } of COATS) {
    const step = short / count;
    for (let y = 0; y < height + step; y += step) {
      for (let x = 0; x < width + step; x += step) {
        const [left, top] = [x + (random() - 0.5) * step, y + (random() - 0.5) * step];
        const seen = saturate(sample.colourAt(left / width, top / height), 1.15);
        const colour = random() < 0.55 ? lighten(seen, random() * 0.3) : darken(seen, random() * 0.1);
        const radius = size * short * (0.5 + random() * 0.7);
        context.fillStyle = css(colour, alpha);
        context.fill(blob(random, { x: left, y: top, radiusX: radius, radiusY: radius * 0.8, wobble: 0.24 }));
      }
    }
  }
  const full = createCanvas(canvas.width, canvas.height);
  full.getContext("2d").drawImage(sheet, 0, 0, canvas.width, canvas.height);
  paintLines(full);
  leaveRim(canvas, full, random);
}

/** Copies the sheet back within a torn outline. */
function leaveRim(canvas: Canvas, sheet: Canvas, random: Random): void {
  const { width, height } = canvas;
  const margin = Math.min(width, height) * 0.045;
  const context = canvas.getContext("2d");
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = css(PAPER);
  context.fillRect(0, 0, width, height);
  const edge = () => margin * (0.55 + random() * 0.75);
  context.beginPath();
  const steps = 46;
  for (let side = 0; side < 4; side++) {
    for (let step = 0; step < steps; step++) {
      const along = step / steps;
      const [x, y] =
        side === 0
          ? [margin + along * (width - 2 * margin), edge()]
          : side === 1
            ? [width - edge(), margin + along * (height - 2 * margin)]
            : side === 2
              ? [width - margin - along * (width - 2 * margin), height - edge()]
              : [edge(), height - margin - along * (height - 2 * margin)];
      context.lineTo(x, y);
    }
  }
  context.closePath();
  context.clip();
  context.drawImage(sheet, 0, 0, width, height);
  context.restore();
}
