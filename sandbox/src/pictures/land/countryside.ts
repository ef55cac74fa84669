import { Path2D } from "@napi-rs/canvas";
import { lighten, mix } from "../colour.ts";
import { mistLayer } from "../sky/mist.ts";
import { fall, flat } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";
import { hillLayer } from "./hills.ts";
import { meadowRim } from "./meadow.ts";
import { rangeLayers } from "./peaks.ts";

/** From far to near. `y` is a share of the ground's height; `trees` and `treeHeight` are how many, and how tall. */
const HILLS = [
  { y: -0.02, height: 44, length: 620, distance: 0.6, depth: 0.24, trees: 26, treeHeight: 30 },
  { y: 0.16, height: 46, length: 760, distance: 0.38, depth: 0.4, trees: 15, treeHeight: 54 },
  { y: 0.36, height: 50, length: 900, distance: 0.16, depth: 0.62, trees: 6, treeHeight: 110 },
  { y: 0.66, height: 34, length: 1300, distance: 0, depth: 1, trees: 0, treeHeight: 0 },
] as const;

/** Rolling hills one behind the other, fields, trees, now and then a path or a stream. */
export function countryside(stage: Stage): Ground {
  const { horizon, height, land, brief } = stage;
  const room = height - horizon;
  const hills = HILLS.map(({ y, ...hill }, at) =>
    hillLayer(stage, {
      ...hill,
      name: `hill ${at}`,
      y: horizon + room * y,
      colour: land.grass,
      light: mix(land.grassLight, land.grass, at * 0.2),
    }),
  );
  const range = rangeLayers(stage, {
    name: "far range",
    base: horizon + 30,
    height: 190,
    count: 4,
    distance: 0.8,
    depth: 0.14,
    rock: land.rock,
    hasSnow: brief.season === "winter",
  });
  const behind: Layer[] = [
    ...range,
    ...hills.slice(0, 1),
    mistLayer(stage, { y: horizon + 24, height: 90, alpha: 0.34, depth: 0.26 }),
    ...hills.slice(1, 2),
    ...hills.slice(2, 3),
    ...hills.slice(3),
    ...pathLayers(stage, horizon + room * 0.4),
  ];
  return { behind, front: meadowRim(stage), footing: horizon + room * 0.78, surface: "land" };
}

/** A sandy road or a river that winds from the foreground to the horizon. */
export function pathLayers(stage: Stage, far: number): Layer[] {
  const isRiver = stage.wants("river");
  const lots = stage.random("path");
  if (!isRiver && !stage.wants("road") && lots() > 0.3) return [];
  if (stage.refuses(isRiver ? "river" : "road")) return [];
  const { width, height, land, light } = stage;
  const near = height + 30;
  const end = width * (0.42 + lots() * 0.16);
  const bend = (lots() < 0.5 ? 1 : -1) * width * 0.16;
  const path = new Path2D();
  const [left, right] = [width * 0.34, width * 0.62];
  path.moveTo(left, near);
  path.bezierCurveTo(
    left + bend,
    height - (height - far) * 0.45,
    end - bend * 1.3,
    far + (height - far) * 0.28,
    end - 3,
    far,
  );
  path.lineTo(end + 3, far);
  path.bezierCurveTo(
    end - bend * 1.0,
    far + (height - far) * 0.3,
    right + bend,
    height - (height - far) * 0.42,
    right,
    near,
  );
  path.closePath();
  const colour = isRiver
    ? mix(stage.seen(land.water, 0.1), light.skyLow, 0.45)
    : stage.seen(lighten(land.sand, 0.1), 0);
  return [
    {
      depth: 0.75,
      isMoving: false,
      paint(pen) {
        pen.fill(path, fall(stage.seen(colour, 0.25), colour, far, near));
        pen.soft(() => pen.line(path, { ...flat(lighten(colour, 0.3), 0.4), width: 3 }));
      },
    },
  ];
}
