import { darken, lighten, type Rgb } from "../colour.ts";
import { flat, type Point, polygon } from "../stage/paths.ts";
import type { Pen } from "../stage/stage.ts";

type Cube = {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly height: number;
  readonly inset?: number;
  readonly top: Rgb;
  readonly side: Rgb;
};

/** Draws on an isometric grid: x runs down to the right, y down to the left, z up. */
export type Block = {
  readonly tile: number;
  point(x: number, y: number, z: number): Point;
  cube(pen: Pen, cube: Cube): void;
  windows(pen: Pen, wall: { x: number; y: number; height: number; inset: number; colour: Rgb }): void;
  roof(pen: Pen, roof: { x: number; y: number; z: number; inset: number; colour: Rgb }): void;
};

export function createBlocks(tile: number, origin: { readonly x: number; readonly y: number }): Block {
  const point = (x: number, y: number, z: number): Point => [
    origin.x + (x - y) * tile,
    origin.y + (x + y) * tile * 0.5 - z * tile,
  ];
  return {
    tile,
    point,
    cube(pen, { x, y, z, height, inset = 0, top, side }) {
      const [left, right, near, far] = [x + inset, x + 1 - inset, y + 1 - inset, y + inset];
      const high = z + height;
      pen.fill(
        polygon([
          point(left, near, high),
          point(right, near, high),
          point(right, near, z),
          point(left, near, z),
        ]),
        flat(lighten(side, 0.06)),
      );
      pen.fill(
        polygon([
          point(right, far, high),
          point(right, near, high),
          point(right, near, z),
          point(right, far, z),
        ]),
        flat(darken(side, 0.24)),
      );
      pen.fill(
        polygon([
          point(left, far, high),
          point(right, far, high),
          point(right, near, high),
          point(left, near, high),
        ]),
        flat(top),
      );
    },
    windows(pen, { x, y, height, inset, colour }) {
      const rows = Math.max(1, Math.round(height * 2.2));
      const near = y + 1 - inset;
      const right = x + 1 - inset;
      for (let row = 0; row < rows; row++) {
        const low = (row + 0.35) * (height / rows);
        const high = low + (height / rows) * 0.45;
        for (const along of [0.16, 0.58]) {
          const start = x + inset + (1 - 2 * inset) * along;
          pen.fill(
            polygon([
              point(start, near, high),
              point(start + 0.18, near, high),
              point(start + 0.18, near, low),
              point(start, near, low),
            ]),
            flat(colour),
          );
          const back = y + inset + (1 - 2 * inset) * along;
          pen.fill(
            polygon([
              point(right, back, high),
              point(right, back + 0.18, high),
              point(right, back + 0.18, low),
              point(right, back, low),
            ]),
            flat(darken(colour, 0.18)),
          );
        }
      }
    },
    roof(pen, { x, y, z, inset, colour }) {
      const tip = point(x + 0.5, y + 0.5, z + 0.62);
      const [left, right, far, near] = [x + inset, x + 1 - inset, y + inset, y + 1 - inset];
      pen.fill(polygon([tip, point(left, near, z), point(right, near, z)]), flat(lighten(colour, 0.08)));
      pen.fill(polygon([tip, point(right, far, z), point(right, near, z)]), flat(darken(colour, 0.2)));
    },
  };
}
