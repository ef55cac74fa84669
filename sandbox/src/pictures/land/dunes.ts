import { Path2D } from "@napi-rs/canvas";
import { darken, hex, lighten, mix, type Rgb } from "../colour.ts";
import { box, ellipse, fall, flat, ground, type Point, polygon, polyline, wave } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";
import { mistLayer } from "./mist.ts";

const SAND = hex("#e9a765");
const MESA = hex("#c56b4a");

/** Table mountains or pyramids on the horizon, dunes with a lit and a shaded side, cacti. */
export function dunes(stage: Stage): Ground {
  const { horizon, height } = stage;
  const room = height - horizon;
  const behind: Layer[] = [
    stage.wants("pyramids") ? pyramids(stage) : mesas(stage),
    mistLayer(stage, { y: horizon + 8, height: 110, alpha: 0.4, depth: 0.2 }),
    dune(stage, {
      name: "dune 1",
      y: horizon + room * 0.06,
      rise: 34,
      length: 800,
      distance: 0.42,
      depth: 0.34,
    }),
    dune(stage, {
      name: "dune 2",
      y: horizon + room * 0.26,
      rise: 46,
      length: 1000,
      distance: 0.2,
      depth: 0.56,
    }),
    ...cacti(stage, horizon + room * 0.4),
    dune(stage, { name: "dune 3", y: horizon + room * 0.56, rise: 52, length: 1300, distance: 0, depth: 1 }),
  ];
  return { behind, front: [], footing: horizon + room * 0.8, surface: "land" };
}

type Dune = { name: string; y: number; rise: number; length: number; distance: number; depth: number };

function dune(stage: Stage, { name, y, rise, length, distance, depth }: Dune): Layer {
  const lots = stage.random(name);
  const { width, height } = stage;
  const crest = wave(lots, { width, y, height: rise, length });
  const lit = stage.seen(lighten(SAND, 0.14), distance);
  const low = stage.seen(darken(SAND, 0.16), distance * 0.8);
  const shadows = crestShadows(crest, rise);
  const lines = Array.from({ length: 6 }, (_, row) =>
    crest.map(([x, top]): Point => [x, top + 30 + row * (13 + row * 6) + Math.sin(x * 0.012 + row) * 7]),
  );
  return {
    depth,
    isMoving: false,
    paint(pen) {
      pen.fill(ground(crest, height + 40), fall(lit, low, y - rise, y + 230));
      for (const shadow of shadows)
        pen.soft(() =>
          pen.fill(shadow, {
            colour: stage.seen(darken(SAND, 0.42), distance),
            alpha: 0.5,
            into: { colour: low, alpha: 0, from: [0, y - rise], to: [0, y + 150] },
          }),
        );
      for (const line of lines)
        pen.soft(() => pen.line(polyline(line), { ...flat(darken(low, 0.12), 0.16), width: 2 }));
    },
  };
}

/** For each top, the side in shadow: an S-curve down to the foot of the dune. */
function crestShadows(crest: readonly Point[], rise: number): Path2D[] {
  const shadows: Path2D[] = [];
  const levelAt = (at: number) => crest[at]?.[1] ?? 0;
  for (let at = 1; at < crest.length - 4; at++) {
    const [x, y] = crest[at] ?? [0, 0];
    if (y > levelAt(at - 1) || y >= levelAt(at + 1)) continue;
    let end = at + 1;
    while (end < crest.length - 1 && levelAt(end + 1) > levelAt(end)) end++;
    const [endX, endY] = crest[end] ?? [x, y];
    const reach = endX - x;
    const path = new Path2D();
    path.moveTo(x, y);
    for (const [nextX, nextY] of crest.slice(at + 1, end + 1)) path.lineTo(nextX, nextY);
    path.bezierCurveTo(
      endX - reach * 0.2,
      endY + rise * 0.5,
      x + reach * 0.55,
      y + rise * 2.2,
      x + reach * 0.5,
      y + rise * 3.6,
    );
    path.bezierCurveTo(x + reach * 0.1, y + rise * 2.4, x + reach * 0.3, y + rise * 1.2, x, y);
    shadows.push(path);
  }
  return shadows;
}

function mesas(stage: Stage): Layer {
  const lots = stage.random("mesas");
  const { width, horizon } = stage;
  const blocks = Array.from({ length: 4 }, (_, at) => ({
    x: ((at + lots() * 0.8) / 4) * width,
    half: 60 + lots() * 110,
    rise: 70 + lots() * 120,
    distance: 0.5 + lots() * 0.22,
  })).sort((one, other) => other.distance - one.distance);
  return {
    depth: 0.18,
    isMoving: false,
    paint(pen) {
      for (const { x, half, rise, distance } of blocks) {
        const top = horizon - rise;
        const wall = stage.seen(MESA, distance);
        pen.fill(
          polygon([
            [x - half * 1.5, horizon + 24],
            [x - half, top + rise * 0.42],
            [x - half * 0.92, top],
            [x + half * 0.9, top + 4],
            [x + half, top + rise * 0.4],
            [x + half * 1.55, horizon + 24],
          ]),
          fall(lighten(wall, 0.14), wall, top, horizon),
        );
        pen.soft(() => {
          pen.fill(
            polygon([
              [x + half * 0.25, top + 3],
              [x + half * 0.9, top + 4],
              [x + half, top + rise * 0.4],
              [x + half * 1.55, horizon + 24],
              [x + half * 0.4, horizon + 24],
            ]),
            flat(darken(wall, 0.3), 0.4),
          );
          for (const band of [0.18, 0.34])
            pen.fill(box(x - half * 0.94, top + rise * band, half * 1.86, 4), flat(darken(wall, 0.2), 0.3));
        });
      }
    },
  };
}

function pyramids(stage: Stage): Layer {
  const { width, horizon } = stage;
  const tops = [
    [0.3, 250, 0.34],
    [0.58, 330, 0.26],
    [0.8, 170, 0.44],
  ] as const;
  return {
    depth: 0.24,
    isMoving: false,
    paint(pen) {
      for (const [across, rise, distance] of tops) {
        const x = width * across;
        const half = rise * 0.86;
        const lit = stage.seen(lighten(SAND, 0.12), distance);
        pen.fill(
          polygon([
            [x - half, horizon + 26],
            [x, horizon - rise],
            [x + half, horizon + 26],
          ]),
          flat(lit),
        );
        pen.fill(
          polygon([
            [x + half * 0.2, horizon + 26],
            [x, horizon - rise],
            [x + half, horizon + 26],
          ]),
          flat(stage.seen(darken(SAND, 0.34), distance)),
        );
      }
    },
  };
}

function cacti(stage: Stage, y: number): Layer[] {
  const lots = stage.random("cacti");
  if (stage.refuses("cacti") || stage.wants("pyramids")) return [];
  const plants = Array.from({ length: stage.wants("cacti") ? 7 : 4 }, () => ({
    x: stage.width * lots(),
    y: y + lots() * 70,
    height: 90 + lots() * 110,
  })).sort((one, other) => one.y - other.y);
  const green = stage.seen(hex("#4f8a58"), 0.12);
  return [
    {
      depth: 0.7,
      isMoving: false,
      paint(pen) {
        for (const plant of plants) paintCactus(pen, plant, green);
      },
    },
  ];
}

function paintCactus(pen: Pen, { x, y, height }: { x: number; y: number; height: number }, green: Rgb): void {
  const thick = height * 0.17;
  pen.soft(() =>
    pen.fill(ellipse(x + thick, y, height * 0.34, height * 0.05), flat(darken(green, 0.5), 0.3)),
  );
  const arm = (side: number, from: number, up: number) => {
    const path = new Path2D();
    path.moveTo(x, y - height * from);
    path.lineTo(x + side * height * 0.17, y - height * from);
    path.quadraticCurveTo(
      x + side * height * 0.27,
      y - height * from,
      x + side * height * 0.27,
      y - height * (from + 0.1),
    );
    path.lineTo(x + side * height * 0.27, y - height * up);
    pen.line(path, { ...flat(mix(green, [20, 50, 50], 0.12)), width: thick * 0.74 });
  };
  arm(-1, 0.36, 0.66);
  arm(1, 0.48, 0.82);
  pen.fill(box(x - thick / 2, y - height, thick, height, thick / 2), {
    colour: lighten(green, 0.18),
    into: { colour: darken(green, 0.2), from: [x - thick / 2, 0], to: [x + thick / 2, 0] },
  });
}
