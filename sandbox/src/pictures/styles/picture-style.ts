import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Brief, Style } from "../brief/brief.ts";
import { hex } from "../colour.ts";
import { sceneLayers } from "../scene.ts";
import { createBrush, createInkPen, createNeonPen } from "../stage/pen.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import { abstractLayers } from "./abstract.ts";
import { paintBrushwork } from "./brushwork.ts";
import { paintFacets } from "./facets.ts";
import { logoLayers } from "./logo.ts";
import { patternLayers } from "./pattern.ts";
import { paintPixels } from "./pixels.ts";
import { type Insets, paintPoster, posterInsets } from "./poster.ts";
import { PAPER, paintWash } from "./wash.ts";

/** How a style differs from the plain one: other layers, another pen, or a rework of the whole picture. */
export type PictureStyle = {
  layers(stage: Stage): Layer[];
  pen(context: SKRSContext2D): Pen;
  /** Background painted first, for pens that leave it open. */
  readonly paper: string | null;
  rework?(canvas: Canvas, stage: Stage): void;
  /** Painted over the finished picture, in units. */
  frame?(
    context: SKRSContext2D,
    stage: Stage,
    size: { readonly width: number; readonly height: number },
  ): void;
  /** Whether light and darker corners suit it. */
  readonly hasAtmosphere: boolean;
  /** The space that a frame takes, in units of the whole. */
  insetsOf?(brief: Brief): Insets;
  /** False for a style that writes the text itself. */
  readonly hasCaption?: boolean;
};

const PLAIN: PictureStyle = { layers: sceneLayers, pen: createBrush, paper: null, hasAtmosphere: true };
const WALL = hex("#14122b");
const INK = hex("#2b2d42");
const ink = { paper: PAPER, ink: INK, wash: 0.05, width: 2.6 };

const STYLES: Readonly<Record<Style, PictureStyle>> = {
  flat: PLAIN,
  poster: { ...PLAIN, frame: paintPoster, insetsOf: posterInsets, hasCaption: false },
  watercolour: { ...PLAIN, hasAtmosphere: false, rework: washAndInk },
  oil: { ...PLAIN, rework: (canvas, stage) => paintBrushwork(canvas, stage.random("oil")) },
  pixel: { ...PLAIN, rework: paintPixels },
  line: {
    ...PLAIN,
    pen: (context) => createInkPen(context, ink),
    paper: "rgb(252,248,240)",
    hasAtmosphere: false,
  },
  neon: {
    ...PLAIN,
    pen: (context) => createNeonPen(context, WALL),
    paper: "rgb(20,18,43)",
    hasAtmosphere: false,
  },
  lowpoly: {
    ...PLAIN,
    rework: (canvas, stage) => paintFacets(canvas, stage.random("facets"), { cells: 30, isGlass: false }),
  },
  glass: {
    ...PLAIN,
    rework: (canvas, stage) => paintFacets(canvas, stage.random("glass"), { cells: 22, isGlass: true }),
  },
  abstract: { ...PLAIN, layers: abstractLayers, hasAtmosphere: false },
  pattern: { ...PLAIN, layers: patternLayers, hasAtmosphere: false },
  logo: { ...PLAIN, layers: logoLayers, hasAtmosphere: false },
};

/** Colour first, then the lines of the same drawing over it. */
function washAndInk(canvas: Canvas, stage: Stage): void {
  paintWash(canvas, stage.random("wash"), (sheet) => {
    const lines = createCanvas(sheet.width, sheet.height);
    const context = lines.getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, sheet.width, sheet.height);
    const scale = sheet.width / stage.width;
    context.scale(scale, scale);
    const pen = createInkPen(context, { paper: [255, 255, 255], ink: hex("#4a4258"), wash: 0, width: 1.5 });
    for (const layer of sceneLayers(stage)) layer.paint(pen, 0);
    const target = sheet.getContext("2d");
    target.globalCompositeOperation = "multiply";
    target.globalAlpha = 0.9;
    target.drawImage(lines, 0, 0);
  });
}

export function styleOf(style: Style): PictureStyle {
  return STYLES[style];
}
