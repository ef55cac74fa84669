import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { brightness, css, darken, lighten, saturate } from "../colour.ts";
import type { Point } from "../stage/paths.ts";
import { type Sample, sampleOf } from "./sample.ts";

export type FacetLook = { readonly cells: number; readonly isGlass: boolean };

/** The picture again in triangles of one colour each; as glass they shine and have lead between them. */
export function paintFacets(canvas: Canvas, random: Random, { cells, isGlass }: FacetLook): void {
  const sample = sampleOf(canvas, 400);
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
  const isSplit = !cell.isGlass || cell.random() < 0.72;
  const pieces: Point[][] = !isSplit
    ? [[one, two, three, four]]
    : cell.random() < 0.5
      ? [
          [one, two, three],
          [one, three, four],
        ]
      : [
          [one, two, four],
          [two, three, four],
        ];
  for (const piece of pieces) paintPiece(context, piece, cell);
}

function paintPiece(
  context: SKRSContext2D,
  piece: readonly Point[],
  { canvas, sample, random, isGlass, line }: Cell,
): void {
  const x = piece.reduce((sum, [left]) => sum + left, 0) / piece.length;
  const y = piece.reduce((sum, [, top]) => sum + top, 0) / piece.length;
  const seen = sample.colourAt(x / canvas.width, y / canvas.height);
  const turned = random() < 0.5 ? lighten(seen, random() * 0.1) : darken(seen, random() * 0.1);
  const colour = isGlass ? saturate(turned, 1.5) : saturate(turned, 1.12);
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
  // Its own colour over the seam, which would shine through otherwise.
  context.strokeStyle = css(colour, brightness(colour) > 0.5 ? 0.9 : 1);
  context.lineWidth = Math.max(1, line * 0.2);
  context.stroke();
}
