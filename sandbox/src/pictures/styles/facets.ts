import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { brightness, css, darken, lighten, type Rgb, saturate } from "../colour.ts";
import type { Point } from "../stage/paths.ts";
import { type Sample, sampleOf } from "./sample.ts";

type FacetLook = { readonly cells: number; readonly isGlass: boolean };

/** Repaints the picture in triangles of one colour each; as glass they shine and have lead between them. */
export function paintFacets(canvas: Canvas, random: Random, { cells, isGlass }: FacetLook): void {
  const sample = sampleOf(canvas, 600);
  const context = canvas.getContext("2d");
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  const step = Math.min(canvas.width, canvas.height) / cells;
  const grid = jitteredGrid(canvas, random, step);
  for (let row = 0; row + 1 < grid.length; row++) {
    const [upper = [], lower = []] = [grid[row], grid[row + 1]];
    for (let column = 0; column + 1 < upper.length; column++) {
      const corners = [upper[column], upper[column + 1], lower[column + 1], lower[column]] as const;
      paintCell(context, { corners, canvas, sample, random, isGlass, line: step * 0.07 });
    }
  }
  context.restore();
}

function jitteredGrid({ width, height }: Canvas, random: Random, step: number): Point[][] {
  const columns = Math.ceil(width / step) + 1;
  const rows = Math.ceil(height / step) + 1;
  return Array.from({ length: rows + 1 }, (_, row) =>
    Array.from(
      { length: columns + 1 },
      (_, column): Point => [
        (column - 0.5) * step + (random() - 0.5) * step * 0.8,
        (row - 0.5) * step + (random() - 0.5) * step * 0.8,
      ],
    ),
  );
}

type Cell = {
  readonly corners: readonly (Point | undefined)[];
  readonly canvas: Canvas;
  readonly sample: Sample;
  readonly random: Random;
  readonly isGlass: boolean;
  readonly line: number;
};

function paintCell(context: SKRSContext2D, cell: Cell): void {
  const [one, two, three, four] = cell.corners;
  if (!one || !two || !three || !four) return;
  const pieces: Triangle[] =
    cell.random() < 0.5
      ? [
          [one, two, three],
          [one, three, four],
        ]
      : [
          [one, two, four],
          [two, three, four],
        ];
  for (const piece of pieces) paintPiece(context, piece, { ...cell, level: 0 });
}

type Triangle = readonly [Point, Point, Point];

/** A triangle that would hide an edge of the picture is divided into four, at most three times. */
const MAX_LEVEL = 3;
const EDGE = 44;

function paintPiece(context: SKRSContext2D, piece: Triangle, cell: Cell & { readonly level: number }): void {
  const { canvas, sample, random, isGlass, level } = cell;
  const [one, two, three] = piece;
  const [x, y] = [(one[0] + two[0] + three[0]) / 3, (one[1] + two[1] + three[1]) / 3];
  const seen = sample.colourAt(x / canvas.width, y / canvas.height);
  const isOther = ([left, top]: Point) => {
    const inside: Point = [left + (x - left) * 0.25, top + (y - top) * 0.25];
    const there = sample.colourAt(inside[0] / canvas.width, inside[1] / canvas.height);
    return Math.hypot(there[0] - seen[0], there[1] - seen[1], there[2] - seen[2]) > EDGE;
  };
  if (level < (isGlass ? MAX_LEVEL - 1 : MAX_LEVEL) && piece.some(isOther)) {
    const middle = (left: Point, right: Point): Point => [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
    const [a, b, c] = [middle(one, two), middle(two, three), middle(three, one)];
    const smaller: Triangle[] = [
      [one, a, c],
      [a, two, b],
      [c, b, three],
      [a, b, c],
    ];
    for (const each of smaller)
      paintPiece(context, each, { ...cell, level: level + 1, line: cell.line * 0.72 });
    return;
  }
  const turned = random() < 0.5 ? lighten(seen, random() * 0.1) : darken(seen, random() * 0.1);
  paintFacet(context, piece, {
    x,
    y,
    line: cell.line,
    isGlass,
    colour: saturate(turned, isGlass ? 1.5 : 1.12),
  });
}

type Facet = {
  readonly x: number;
  readonly y: number;
  readonly line: number;
  readonly isGlass: boolean;
  readonly colour: Rgb;
};

function paintFacet(context: SKRSContext2D, piece: Triangle, { x, y, line, isGlass, colour }: Facet): void {
  context.beginPath();
  piece.forEach(([left, top], at) => {
    if (at === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  });
  context.closePath();
  if (isGlass) {
    const shine = context.createRadialGradient(x, y, 0, x, y, line * 13);
    shine.addColorStop(0, css(lighten(colour, 0.2)));
    shine.addColorStop(1, css(darken(colour, 0.2)));
    context.fillStyle = shine;
    context.fill();
    context.strokeStyle = "rgb(22,20,30)";
    context.lineWidth = line;
    context.lineJoin = "round";
    context.stroke();
    return;
  }
  context.fillStyle = css(colour);
  context.fill();
  // Covers the seam, which would otherwise shine through.
  context.strokeStyle = css(colour, brightness(colour) > 0.5 ? 0.9 : 1);
  context.lineWidth = Math.max(1, line * 0.2);
  context.stroke();
}
