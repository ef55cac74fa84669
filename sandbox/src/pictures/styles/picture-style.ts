import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Style } from "../brief/brief.ts";
import { createBrush, createInkPen } from "../stage/pen.ts";
import type { Pen } from "../stage/stage.ts";
import { paintPixels } from "./pixels.ts";

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
