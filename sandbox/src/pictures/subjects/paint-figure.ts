import { Path2D } from "@napi-rs/canvas";
import { brightness, darken, hex, lighten, mix, type Rgb } from "../colour.ts";
import type { Pen, Stage } from "../stage/stage.ts";
import type { Figure, Part, Tone } from "./figure.ts";

const FIGURE_BOX = 200;

export type PlacedFigure = {
  readonly figure: Figure;
  /** Position of the middle of its foot. */
  readonly x: number;
  readonly y: number;
  /** Size of its box, in units. */
  readonly size: number;
  readonly isFlipped: boolean;
  readonly colour: Rgb | null;
  /** 0 is here, 1 is lost in the haze. */
  readonly distance: number;
  readonly phase: number;
};

const SHARED: Readonly<Partial<Record<Tone, Rgb>>> = {
  ink: hex("#2b2d42"),
  white: hex("#fdfbf7"),
  cream: hex("#f9ecd2"),
  pink: hex("#f2929f"),
  red: hex("#d8432f"),
  gold: hex("#f2bd3f"),
  leaf: hex("#58a65c"),
  wood: hex("#a06a43"),
  woodDark: hex("#6b432c"),
  metal: hex("#c3cad6"),
  metalDark: hex("#7f889b"),
  glass: hex("#bfe4f2"),
  glow: hex("#ffe08a"),
  blue: hex("#4a90c9"),
};

const SHINING: ReadonlySet<Tone> = new Set(["glow"]);
const GLASSY_ALPHA = 0.62;

const paths = new Map<string, Path2D>();

/** Cache: each of the few hundred parts is parsed once. */
function pathOf(data: string): Path2D {
  const known = paths.get(data);
  if (known !== undefined) return known;
  const path = new Path2D(data);
  paths.set(data, path);
  return path;
}

export function paintFigure(stage: Stage, pen: Pen, placed: PlacedFigure, seconds: number): void {
  const { context } = pen;
  const scale = placed.size / FIGURE_BOX;
  context.save();
  context.translate(placed.x, placed.y);
  context.scale(placed.isFlipped ? -scale : scale, scale);
  context.translate(-FIGURE_BOX / 2, -placed.figure.foot);
  const isLitLeft = stage.orb.x < placed.x !== placed.isFlipped;
  const tones = tonesOf(stage, placed);
  for (const part of placed.figure.parts) {
    paintPart(pen, part, { colour: tones(part.tone), isLitLeft, seconds: seconds + placed.phase });
    if (part.isMirrored !== true) continue;
    context.save();
    context.translate(FIGURE_BOX, 0);
    context.scale(-1, 1);
    paintPart(pen, part, {
      colour: tones(part.tone),
      isLitLeft: !isLitLeft,
      seconds: seconds + placed.phase,
    });
    context.restore();
  }
  context.restore();
}

type PartLight = { readonly colour: Rgb; readonly isLitLeft: boolean; readonly seconds: number };

function paintPart(pen: Pen, part: Part, { colour, isLitLeft, seconds }: PartLight): void {
  const { context } = pen;
  const { swing } = part;
  if (swing !== undefined) {
    context.save();
    context.translate(swing.x, swing.y);
    context.rotate(((swing.degrees * Math.PI) / 180) * Math.sin(seconds * 2.2));
    context.translate(-swing.x, -swing.y);
  }
  const path = pathOf(part.path);
  const alpha = part.tone === "glass" ? GLASSY_ALPHA : 1;
  if (part.width !== undefined) pen.line(path, { colour, alpha, width: part.width });
  else {
    const [near, far] = isLitLeft ? [10, 190] : [190, 10];
    pen.fill(path, {
      colour: lighten(colour, 0.1),
      alpha,
      into: { colour: darken(colour, 0.14), from: [near, 0], to: [far, 190] },
    });
  }
  if (swing !== undefined) context.restore();
}

function tonesOf(stage: Stage, { figure, colour, distance }: PlacedFigure): (tone: Tone) => Rgb {
  const main = colour ?? figure.main;
  const own: Partial<Record<Tone, Rgb>> = {
    main,
    dark: darken(main, 0.2),
    darker: darken(main, 0.38),
    light: lighten(main, 0.26),
    pale: lighten(main, brightness(main) > 0.8 ? 0.5 : 0.62),
    accent: figure.accent,
    accentDark: darken(figure.accent, 0.2),
    accentLight: lighten(figure.accent, 0.3),
  };
  const isDark = stage.light.isNight || stage.brief.hour === "dusk";
  return (tone) => {
    const base = own[tone] ?? SHARED[tone] ?? main;
    if (SHINING.has(tone)) return isDark ? base : mix(stage.seen(base, distance), base, 0.4);
    // Figures are what the picture is about, so they keep more of their own colour than the land does.
    return mix(stage.seen(base, distance), base, 0.34);
  };
}
