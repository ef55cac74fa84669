import type { Random } from "../../random.ts";
import { darken, hex, lighten, mix } from "../colour.ts";
import { fall, flat, ground, type Point, polygon, wave } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";
import { rangeLayers } from "./peaks.ts";
import { ripples, waterSurface } from "./water.ts";

const ICE = hex("#dcecf8");
const DEEP = hex("#7fb4d8");

/** Icebergs in cold water, a shelf of snow in front. */
export function ice(stage: Stage): Ground {
  const { width, horizon, height, land } = stage;
  const room = height - horizon;
  const lots = stage.random("ice");
  const shelf = wave(lots, { width, y: horizon + room * 0.58, height: 22, length: 1000 });
  const front: Layer = {
    depth: 1,
    isMoving: false,
    paint(pen) {
      pen.fill(
        ground(
          shelf.map(([x, y]) => [x, y + 20] as const),
          height + 40,
        ),
        flat(stage.seen(DEEP, 0)),
      );
      pen.fill(
        ground(shelf, height + 40),
        fall(stage.seen(land.snow, 0), stage.seen(mix(ICE, DEEP, 0.3), 0), horizon + room * 0.56, height),
      );
    },
  };
  const behind: Layer[] = [
    ...rangeLayers(stage, {
      name: "ice range",
      base: horizon + 6,
      height: 210,
      count: 5,
      distance: 0.62,
      depth: 0.14,
      rock: mix(land.rock, ICE, 0.4),
      hasSnow: true,
    }),
    waterSurface(stage),
    bergs(stage),
    ripples(stage, { bottom: horizon + room * 0.6, count: 70 }),
    front,
  ];
  return { behind, front: [], footing: horizon + room * 0.8, surface: "land" };
}

type Berg = {
  readonly outline: readonly Point[];
  readonly shade: readonly Point[];
  readonly y: number;
  readonly rise: number;
  readonly distance: number;
  readonly phase: number;
};

function bergs(stage: Stage): Layer {
  const lots = stage.random("bergs");
  const list = Array.from({ length: 5 }, (_, at) => makeBerg(stage, lots, at)).sort(
    (one, other) => one.y - other.y,
  );
  return {
    depth: 0.4,
    isMoving: true,
    paint(pen, seconds) {
      for (const { outline, shade, y, rise, distance, phase } of list) {
        const bob = Math.sin(seconds * 0.8 + phase) * 2.5;
        const moved = (points: readonly Point[]) => points.map(([x, top]) => [x, top + bob] as const);
        pen.fill(
          polygon(moved(outline)),
          fall(
            stage.seen(lighten(ICE, 0.4), distance),
            stage.seen(mix(ICE, DEEP, 0.4), distance),
            y - rise,
            y,
          ),
        );
        pen.fill(polygon(moved(shade)), flat(stage.seen(darken(mix(ICE, DEEP, 0.6), 0.04), distance), 0.8));
      }
    },
  };
}

function makeBerg(stage: Stage, lots: Random, at: number): Berg {
  const near = lots();
  const y = stage.horizon + 10 + near * (stage.height - stage.horizon) * 0.36;
  const x = ((at + lots()) / 5) * stage.width;
  const rise = 50 + near * 110 + lots() * 40;
  const half = rise * (0.8 + lots() * 0.6);
  const top: Point = [x + (lots() - 0.5) * half * 0.6, y - rise];
  return {
    outline: [
      [x - half, y],
      [x - half * 0.7, y - rise * 0.5],
      [x - half * 0.2, y - rise * 0.66],
      top,
      [x + half * 0.45, y - rise * 0.6],
      [x + half * 0.8, y - rise * 0.32],
      [x + half, y],
    ],
    shade: [
      top,
      [x + half * 0.45, y - rise * 0.6],
      [x + half * 0.8, y - rise * 0.32],
      [x + half, y],
      [x + half * 0.2, y],
      [x + half * 0.05, y - rise * 0.45],
    ],
    y,
    rise,
    distance: 0.34 * (1 - near),
    phase: lots() * 7,
  };
}
