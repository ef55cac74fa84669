import { darken, mix } from "../colour.ts";
import type { Ground } from "../land/ground.ts";
import { paintGlow } from "../stage/glow.ts";
import { ellipse, flat } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import type { Figure } from "./figure.ts";
import { SUBJECTS } from "./figure-list.ts";
import { type PlacedFigure, paintFigure } from "./paint-figure.ts";

/** In units, for a usual figure that is alone. */
const USUAL_SIZE = 430;
const MOST_FIGURES = 8;

/** The figures of the picture, farther ones first; each bobs, drifts or stands. */
export function figureLayers(stage: Stage, ground: Ground): Layer[] {
  const placed = placeFigures(stage, ground);
  if (placed.length === 0) return [];
  return [
    {
      depth: 1,
      isMoving: true,
      paint(pen, seconds) {
        for (const one of placed) paintPlaced(stage, pen, { one, ground, seconds });
      },
    },
  ];
}

function placeFigures(stage: Stage, ground: Ground): PlacedFigure[] {
  const lots = stage.random("figures");
  const wanted = stage.brief.subjects
    .flatMap((subject) => Array.from({ length: subject.count }, (_, at) => ({ subject, at })))
    .slice(0, MOST_FIGURES);
  const shrink = 1 / Math.max(1, wanted.length ** 0.34);
  const room = roomFor(stage, ground);
  const placed = wanted.flatMap(({ subject, at }, order): PlacedFigure[] => {
    const figure = SUBJECTS[subject.name]?.figure;
    if (figure === undefined) return [];
    const across = spread(order, wanted.length) + (lots() - 0.5) * 0.05;
    const [near, phase] = [lots(), lots() * 7];
    const lot = at === 0 ? 1 : 0.84 + lots() * 0.2;
    const size = Math.min(USUAL_SIZE * figure.scale * shrink * room * lot, stage.height * 0.82);
    const isHelper = order > 0;
    return [
      {
        figure,
        x: stage.width * across,
        y: heightOf(stage, ground, { figure, size, near, isHelper }),
        size,
        isFlipped: lots() < 0.5,
        colour: subject.colour,
        distance: isHelper ? 0.06 : 0,
        phase,
      },
    ];
  });
  return placed.sort((one, other) => one.y - other.y);
}

/** Portrait formats lack width, not height. If there is nothing else to see, figures are larger. */
function roomFor({ width, height }: Stage, { surface }: Ground): number {
  const tall = Math.min(1.3, Math.max(1, (height / width) ** 0.6));
  return tall * (surface === "none" ? 1.2 : 1);
}

/** The first in the middle, the others alternately to its sides. */
function spread(order: number, count: number): number {
  if (count === 1) return 0.5;
  const step = Math.min(0.25, 0.74 / count);
  const side = order % 2 === 1 ? 1 : -1;
  const start = count % 2 === 0 ? 0.5 - step / 2 : 0.5;
  return start + side * Math.ceil(order / 2) * step * (order === 0 ? 0 : 1);
}

type Height = {
  readonly figure: Figure;
  readonly size: number;
  readonly near: number;
  readonly isHelper: boolean;
};

function heightOf(stage: Stage, ground: Ground, { figure, size, near, isHelper }: Height): number {
  const { height, horizon } = stage;
  const tall = (size * figure.foot) / 200;
  const below = (size * (200 - figure.foot)) / 200;
  const isLoose = ground.surface === "none";
  if (figure.pose === "fly" || figure.pose === "hover") {
    const middle = (isLoose ? height * 0.47 : Math.min(horizon * 0.56, height * 0.46)) + (near - 0.5) * 90;
    return Math.max(tall + 20, middle + tall / 2);
  }
  if (isLoose) return Math.min(height * 0.9 - below, height * 0.5 + tall / 2 + (near - 0.5) * 120);
  return Math.max(tall + 24, ground.footing - (isHelper ? 18 + near * 26 : 0));
}

function paintPlaced(
  stage: Stage,
  pen: Pen,
  { one, ground, seconds }: { one: PlacedFigure; ground: Ground; seconds: number },
): void {
  const { figure, size, phase } = one;
  const beat = Math.sin(seconds * 1.4 + phase);
  const isOnWater = ground.surface === "water";
  const isLoose = ground.surface === "none" || figure.pose === "fly" || figure.pose === "hover";
  const bob = isLoose ? beat * size * 0.025 : isOnWater && figure.pose === "float" ? beat * size * 0.012 : 0;
  const drift = figure.pose === "fly" ? seconds * 9 * (one.isFlipped ? -1 : 1) : 0;
  const isStanding = figure.pose === "stand" || (figure.pose === "float" && !isOnWater);
  if (isStanding && ground.surface !== "none") paintShadow(stage, pen, one, isOnWater);
  const { context } = pen;
  context.save();
  context.translate(one.x + drift, one.y + bob);
  if (figure.pose === "float" || isLoose) context.rotate(beat * 0.022);
  context.translate(-one.x, -one.y);
  paintFigure(stage, pen, one, seconds);
  context.restore();
  if (figure.pose === "float" && isOnWater) paintWake(stage, pen, one, seconds);
}

function paintShadow(stage: Stage, pen: Pen, { x, y, size }: PlacedFigure, isOnWater: boolean): void {
  const lean = stage.orb.x < x ? 1 : -1;
  if (isOnWater) {
    const rock = stage.seen(mix(stage.land.rock, stage.land.grass, 0.35), 0);
    pen.fill(ellipse(x, y + size * 0.05, size * 0.62, size * 0.11), {
      colour: rock,
      into: { colour: darken(rock, 0.4), from: [0, y - 20], to: [0, y + size * 0.16] },
    });
    return;
  }
  pen.soft((context) => {
    const [radiusX, radiusY] = [size * 0.46, size * 0.075];
    context.save();
    context.translate(x + lean * size * 0.07, y);
    context.scale(1, radiusY / radiusX);
    paintGlow(context, { x: 0, y: 0, core: radiusX * 0.2, radius: radiusX }, [18, 18, 46], 0.42);
    context.restore();
  });
}

/** White water along the keel. */
function paintWake({ light }: Stage, pen: Pen, { x, y, size }: PlacedFigure, seconds: number): void {
  for (const [across, wide, phase] of [
    [-0.12, 0.34, 0],
    [0.16, 0.3, 2],
    [0, 0.46, 4],
  ] as const) {
    const slide = Math.sin(seconds * 1.2 + phase) * size * 0.03;
    pen.fill(
      ellipse(x + across * size + slide, y + size * (0.012 + phase * 0.008), wide * size, size * 0.014),
      flat(mix([255, 255, 255], light.skyLow, 0.3), 0.62),
    );
  }
}
