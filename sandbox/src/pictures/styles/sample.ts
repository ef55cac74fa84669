import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { Rgb } from "../colour.ts";

/** A small copy of a picture for reading colours; coordinates are from 0 to 1. */
export type Sample = {
  readonly width: number;
  readonly height: number;
  colourAt(across: number, down: number): Rgb;
  /** The direction in which brightness stays the same, in which a brush would follow the shapes. */
  grainAt(across: number, down: number): number;
};

export function sampleOf(canvas: Canvas, width: number): Sample {
  const height = Math.max(1, Math.round((width * canvas.height) / canvas.width));
  const small = createCanvas(width, height);
  const context = small.getContext("2d");
  context.drawImage(canvas, 0, 0, width, height);
  const pixels = context.getImageData(0, 0, width, height).data;
  const at = (x: number, y: number) => {
    const column = Math.min(width - 1, Math.max(0, x));
    const row = Math.min(height - 1, Math.max(0, y));
    return (row * width + column) * 4;
  };
  const tone = (x: number, y: number) => {
    const place = at(x, y);
    return (pixels[place] ?? 0) * 0.3 + (pixels[place + 1] ?? 0) * 0.59 + (pixels[place + 2] ?? 0) * 0.11;
  };
  return {
    width,
    height,
    colourAt(across, down) {
      const place = at(Math.floor(across * width), Math.floor(down * height));
      return [pixels[place] ?? 0, pixels[place + 1] ?? 0, pixels[place + 2] ?? 0];
    },
    grainAt(across, down) {
      const [x, y] = [Math.floor(across * width), Math.floor(down * height)];
      return Math.atan2(tone(x, y + 2) - tone(x, y - 2), tone(x + 2, y) - tone(x - 2, y)) + Math.PI / 2;
    },
  };
}
