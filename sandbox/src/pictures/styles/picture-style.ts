import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Style } from "../brief.ts";
import { createBrush, createInkPen } from "../stage/pen.ts";
import type { Pen } from "../stage/stage.ts";

const SHORT_SIDE = 150;
const LEVELS = 7;
const DITHER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/** Few large squares of few colours, dithered as on old screens. */
function paintPixels(canvas: Canvas): void {
  const scale = SHORT_SIDE / Math.min(canvas.width, canvas.height);
  const [width, height] = [Math.round(canvas.width * scale), Math.round(canvas.height * scale)];
  const small = createCanvas(width, height);
  const context = small.getContext("2d");
  context.drawImage(canvas, 0, 0, width, height);
  const image = context.getImageData(0, 0, width, height);
  const step = 255 / (LEVELS - 1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const nudge = ((DITHER[(y % 4) * 4 + (x % 4)] ?? 0) / 16 - 0.47) * step * 0.55;
      const at = (y * width + x) * 4;
      for (let channel = at; channel < at + 3; channel++) {
        image.data[channel] = Math.round(((image.data[channel] ?? 0) * 1.04 + nudge) / step) * step;
      }
    }
  }
  context.putImageData(image, 0, 0);
  const target = canvas.getContext("2d");
  target.save();
  target.setTransform(1, 0, 0, 1, 0, 0);
  target.imageSmoothingEnabled = false;
  target.drawImage(small, 0, 0, canvas.width, canvas.height);
  target.restore();
}

/** How a style differs from the plain one: another pen, or a rework of the whole picture. */
export type PictureStyle = {
  pen(context: SKRSContext2D): Pen;
  /** Background painted first, for pens that leave it open. */
  readonly paper: string | null;
  rework?(canvas: Canvas): void;
  /** Whether light and darker corners suit it. */
  readonly hasAtmosphere: boolean;
};

const PLAIN: PictureStyle = { pen: createBrush, paper: null, hasAtmosphere: true };

const STYLES: Readonly<Record<Style, PictureStyle>> = {
  flat: PLAIN,
  pixel: { ...PLAIN, rework: paintPixels },
  line: { pen: createInkPen, paper: "rgb(252,248,240)", hasAtmosphere: false },
};

export function styleOf(style: Style): PictureStyle {
  return STYLES[style];
}
