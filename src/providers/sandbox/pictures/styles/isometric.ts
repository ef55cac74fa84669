import type { Random } from "../../random.ts";
import type { Setting } from "../brief/brief.ts";
import { darken, hex, lighten, mix, type Rgb } from "../colour.ts";
import { ellipse, everywhere, fall, flat } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import { figureOf } from "../subjects/figure-list.ts";
import { paintFigure } from "../subjects/paint-figure.ts";
import { type Block, createBlocks } from "./iso-blocks.ts";

const SIDE = 7;

/** A small piece of the world on a floating slab, in isometric view. */
export function isometricLayers(stage: Stage): Layer[] {
  const { width, height, light } = stage;
  const random = stage.random("isometric");
  const tile = Math.min(width / (SIDE * 2 + 1.2), (height * 0.92) / (SIDE + 4)) * 1.02;
  const origin = { x: width / 2, y: height * 0.5 - (SIDE * tile) / 2 + tile * 0.7 };
  const blocks = createBlocks(tile, origin);
  const cells = plan(stage, random);
  return [
    {
      depth: 0,
      isMoving: false,
      paint: (pen) =>
        pen.fill(
          everywhere(stage),
          fall(mix(light.skyMid, [255, 255, 255], 0.2), mix(light.skyLow, light.skyTop, 0.2), 0, height),
        ),
    },
    {
      depth: 0.6,
      isMoving: true,
      paint(pen, seconds) {
        pen.soft(() =>
          pen.fill(
            ellipse(origin.x, origin.y + SIDE * tile + tile * 0.6, SIDE * tile * 0.95, tile * 1.5),
            flat(darken(light.skyLow, 0.5), 0.22),
          ),
        );
        for (const cell of cells) paintCell({ stage, pen, blocks, cell, seconds });
        paintGuests({ stage, pen, blocks, seconds });
      },
    },
  ];
}

type Cell = {
  readonly x: number;
  readonly y: number;
  readonly kind: "land" | "water" | "road" | "house" | "tree" | "rock";
  readonly height: number;
  readonly lot: number;
};

const LOOKS: Readonly<
  Partial<Record<Setting, readonly [house: number, tree: number, water: number, rock: number]>>
> = {
  city: [0.62, 0.12, 0, 0],
  forest: [0.03, 0.66, 0.06, 0.05],
  mountains: [0.05, 0.26, 0.08, 0.36],
  sea: [0.08, 0.12, 0.55, 0.05],
  beach: [0.08, 0.2, 0.42, 0],
  lake: [0.06, 0.3, 0.36, 0.08],
  desert: [0.06, 0.1, 0, 0.2],
  hills: [0.16, 0.32, 0.12, 0.03],
};

/** Back to front, so that nearer blocks hide farther ones. */
function plan(stage: Stage, random: Random): Cell[] {
  const [house, tree, water, rock] = LOOKS[stage.brief.setting] ?? [0.16, 0.32, 0.12, 0.05];
  const road = Math.floor(SIDE / 2);
  const hasGuest = stage.brief.subjects.length > 0;
  const cells: Cell[] = [];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const lot = random();
      const isMiddle = hasGuest && Math.abs(x - road) <= 1 && Math.abs(y - road) <= 1;
      const kind = isMiddle
        ? "land"
        : stage.brief.setting === "city" && (x === road || y === road)
          ? "road"
          : lot < house
            ? "house"
            : lot < house + tree
              ? "tree"
              : lot < house + tree + water
                ? "water"
                : lot < house + tree + water + rock
                  ? "rock"
                  : "land";
      // Nothing in front of a subject may be high.
      const isInFront = hasGuest && x + y > SIDE;
      const most =
        kind === "house" && stage.brief.setting === "city" && !isInFront ? 2.6 : isInFront ? 0.3 : 1;
      cells.push({ x, y, kind, height: 0.5 + random() * most, lot: random() });
    }
  }
  return cells;
}

const WALLS = ["#f3d9b1", "#e9b08a", "#c9d6df", "#f2c14e", "#d98880", "#a9c5a0", "#e8dcc8"].map(hex);
const ROOFS = ["#c2503c", "#4f6f8f", "#7a5a7a", "#3f7a6a"].map(hex);

type CellPaint = { stage: Stage; pen: Pen; blocks: Block; cell: Cell; seconds: number };

function paintCell({ stage, pen, blocks, cell, seconds }: CellPaint): void {
  const { x, y, kind, height, lot } = cell;
  const { land } = stage;
  const soil = stage.brief.setting === "desert" || stage.brief.setting === "beach" ? land.sand : land.grass;
  const ground = stage.seen(
    kind === "road" ? hex("#7d8294") : mix(soil, land.grassLight, ((x * 3 + y * 5) % 4) * 0.1),
    0,
  );
  if (kind === "water") {
    const surface = stage.seen(hex("#4fb3d9"), 0);
    blocks.cube(pen, {
      x,
      y,
      z: -0.85,
      height: 0.6 + Math.sin(seconds * 1.6 + x + y) * 0.03,
      top: lighten(surface, 0.14),
      side: surface,
    });
    return;
  }
  blocks.cube(pen, { x, y, z: -0.85, height: 0.85, top: ground, side: stage.seen(hex("#9a6b4a"), 0) });
  if (kind === "rock")
    blocks.cube(pen, {
      x,
      y,
      z: 0,
      height: height * 0.9,
      inset: 0.12,
      top: stage.seen(lot < 0.5 ? land.snow : land.rockLight, 0),
      side: stage.seen(land.rock, 0),
    });
  if (kind === "tree") paintTree({ stage, pen, blocks, cell, seconds });
  if (kind === "house") {
    const wall = stage.seen(WALLS[Math.floor(lot * WALLS.length)] ?? [230, 210, 180], 0);
    const roof = stage.seen(ROOFS[Math.floor(height * 97) % ROOFS.length] ?? [190, 80, 60], 0);
    const isTower = stage.brief.setting === "city";
    blocks.cube(pen, {
      x,
      y,
      z: 0,
      height,
      inset: 0.14,
      top: isTower ? lighten(wall, 0.1) : roof,
      side: wall,
    });
    blocks.windows(pen, {
      x,
      y,
      height,
      inset: 0.14,
      colour: stage.light.isNight || lot < 0.4 ? [255, 220, 140] : darken(wall, 0.5),
    });
    if (!isTower) blocks.roof(pen, { x, y, z: height, inset: 0.06, colour: roof });
  }
}

function paintTree({ stage, pen, blocks, cell: { x, y, height, lot } }: CellPaint): void {
  const { land } = stage;
  const isRound = lot < 0.5;
  const leaf: Rgb = stage.seen(isRound ? mix(land.leaf, land.leafLight, lot) : land.conifer, 0);
  blocks.cube(pen, { x, y, z: 0, height: 0.35, inset: 0.42, top: leaf, side: stage.seen(land.wood, 0) });
  if (isRound)
    blocks.cube(pen, {
      x,
      y,
      z: 0.35,
      height: 0.5 + height * 0.3,
      inset: 0.2,
      top: lighten(leaf, 0.16),
      side: leaf,
    });
  else
    for (const [level, inset] of [
      [0.3, 0.14],
      [0.75, 0.22],
      [1.15, 0.3],
    ] as const)
      blocks.roof(pen, { x, y, z: level, inset, colour: lighten(leaf, level * 0.1) });
}

/** The subjects that the prompt names, in the middle of the slab. */
function paintGuests({ stage, pen, blocks, seconds }: Omit<CellPaint, "cell">): void {
  const middle = (SIDE - 1) / 2;
  stage.brief.subjects.slice(0, 2).forEach(({ name, colour }, at) => {
    const figure = figureOf(name);
    if (figure === undefined) return;
    const [x, y] = blocks.point(middle + 0.5 + at * 0.9, middle + 0.9 - at * 1.1, 0);
    const size = blocks.tile * 2.7 * figure.scale;
    pen.soft(() => pen.fill(ellipse(x, y, size * 0.36, size * 0.1), flat([20, 20, 40], 0.25)));
    paintFigure(
      stage,
      pen,
      {
        figure,
        x,
        y: y + Math.sin(seconds * 2) * (figure.pose === "stand" ? 0 : 8),
        size,
        isFlipped: at === 1,
        colour,
        distance: 0,
        phase: at,
      },
      seconds,
    );
  });
}
