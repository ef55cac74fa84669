import { Path2D } from "@napi-rs/canvas";
import { darken, lighten, mix } from "../colour.ts";
import { ellipse, fall, flat, ground, wave } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";
import { paintTree, type Tree, treeLots } from "./trees.ts";
import { glitter, ripples, waterColours, waterSurface } from "./water.ts";

/** Open water under a wide sky, an island or two, sails far off. */
export function sea(stage: Stage): Ground {
  const { horizon, height } = stage;
  const behind: Layer[] = [...islands(stage), waterSurface(stage), ...glitter(stage), ripples(stage)];
  return { behind, front: [swell(stage)], footing: horizon + (height - horizon) * 0.5, surface: "water" };
}

/** Hills that rise from the water far away. */
function islands(stage: Stage): Layer[] {
  const lots = stage.random("islands");
  if (stage.refuses("islands") || (!stage.wants("islands") && lots() < 0.35)) return [];
  const { width, horizon, land } = stage;
  const shapes = Array.from({ length: stage.wants("islands") ? 3 : 2 }, (_, at) => ({
    x: width * lots(),
    half: 110 + lots() * 190,
    rise: 34 + lots() * 60,
    distance: 0.72 - at * 0.12,
  }));
  return [
    {
      depth: 0.18,
      isMoving: false,
      paint(pen) {
        for (const { x, half, rise, distance } of shapes) {
          const path = new Path2D();
          path.moveTo(x - half, horizon + 2);
          path.bezierCurveTo(
            x - half * 0.55,
            horizon - rise * 0.5,
            x - half * 0.4,
            horizon - rise,
            x - half * 0.08,
            horizon - rise,
          );
          path.bezierCurveTo(
            x + half * 0.25,
            horizon - rise * 1.05,
            x + half * 0.3,
            horizon - rise * 0.45,
            x + half,
            horizon + 2,
          );
          path.closePath();
          pen.fill(
            path,
            fall(
              stage.seen(mix(land.rock, land.grass, 0.5), distance),
              stage.seen(land.rock, Math.min(1, distance + 0.12)),
              horizon - rise,
              horizon,
            ),
          );
        }
      },
    },
  ];
}

/** The nearest waves, with a rim of foam; they rise and fall. */
function swell(stage: Stage): Layer {
  const { width, height, horizon, light } = stage;
  const room = height - horizon;
  const lots = stage.random("swell");
  const { near } = waterColours(stage);
  const rows = [0.74, 0.87].map((share, at) => ({
    line: wave(lots, {
      width: width * 1.4,
      y: horizon + room * share,
      height: 13 + at * 7,
      length: 300 + at * 140,
    }),
    colour: darken(near, 0.06 + at * 0.14),
    phase: lots() * 7,
  }));
  const foam = mix(lighten(near, 0.5), light.skyLow, 0.3);
  return {
    depth: 1.1,
    isMoving: true,
    paint(pen, seconds) {
      rows.forEach(({ line, colour, phase }, at) => {
        const [slideX, slideY] = [
          Math.sin(seconds * 0.7 + phase) * 34 - 60,
          Math.sin(seconds * 1.1 + phase) * 6,
        ];
        const moved = line.map(([x, y]) => [x + slideX, y + slideY] as const);
        pen.fill(
          ground(moved, height + 40),
          fall(lighten(colour, 0.16), colour, horizon + room * (0.7 + at * 0.14), height),
        );
        pen.soft(() => pen.line(ground(moved, height + 900), { ...flat(foam, 0.5), width: 2.5 + at }));
      });
    },
  };
}

/** Sand with its wet edge, palms, the sea beyond. */
export function beach(stage: Stage): Ground {
  const { width, horizon, height, land } = stage;
  const room = height - horizon;
  const lots = stage.random("beach");
  const shore = wave(lots, { width, y: horizon + room * 0.46, height: 26, length: 1100 });
  const sand = stage.seen(land.sand, 0);
  const { near } = waterColours(stage);
  const wet = mix(sand, near, 0.42);
  const lower = (by: number) => shore.map(([x, y]) => [x, y + by] as const);
  const strand: Layer = {
    depth: 0.9,
    isMoving: true,
    paint(pen, seconds) {
      const lap = Math.sin(seconds * 1.1) * 7;
      pen.soft(() => pen.fill(ground(lower(lap - 16), height + 40), flat([255, 255, 255], 0.5)));
      pen.fill(ground(lower(lap - 7), height + 40), flat([250, 252, 252], 0.9));
      pen.fill(ground(lower(lap), height + 40), flat(wet));
      pen.fill(
        ground(lower(26), height + 40),
        fall(lighten(sand, 0.14), darken(sand, 0.08), horizon + room * 0.46, height),
      );
    },
  };
  const behind = [
    ...islands(stage),
    waterSurface(stage, horizon + room * 0.5),
    ...glitter(stage, horizon + room * 0.46),
    ripples(stage, { bottom: horizon + room * 0.44, count: 90 }),
    strand,
    ...pebbles(stage, horizon + room * 0.62),
  ];
  return { behind, front: palms(stage), footing: horizon + room * 0.78, surface: "land" };
}

function pebbles(stage: Stage, from: number): Layer[] {
  const lots = stage.random("pebbles");
  const { width, height, land } = stage;
  const stones = Array.from({ length: 34 }, () => ({
    x: lots() * width,
    y: from + lots() ** 0.8 * (height - from),
    size: 2 + lots() * 5,
    tone: lots(),
  }));
  return [
    {
      depth: 1,
      isMoving: false,
      paint(pen) {
        for (const { x, y, size, tone } of stones)
          pen.fill(
            ellipse(x, y, size, size * 0.55),
            flat(stage.seen(mix(land.rockLight, land.sand, tone), 0), 0.8),
          );
      },
    },
  ];
}

function palms(stage: Stage): Layer[] {
  if (stage.refuses("palms") || stage.refuses("trees")) return [];
  const lots = stage.random("palms");
  const { width, height, land } = stage;
  const count = stage.wants("palms") ? 3 : 2;
  const trees = Array.from({ length: count }, (_, at): Tree => {
    const isLeft = at % 2 === 0;
    return {
      kind: "palm",
      x: width * (isLeft ? 0.03 + lots() * 0.09 : 0.9 + lots() * 0.08),
      y: height * (0.95 + lots() * 0.04),
      height: 560 + lots() * 240,
      leaf: stage.seen(darken(land.conifer, 0.12), 0),
      trunk: stage.seen(darken(land.wood, 0.2), 0),
      hasSnow: false,
      lit: isLeft ? 1 : -1,
      lots: treeLots(lots),
    };
  });
  return [
    {
      depth: 1.15,
      isMoving: false,
      paint(pen) {
        for (const tree of trees) paintTree(pen, tree);
      },
    },
  ];
}
