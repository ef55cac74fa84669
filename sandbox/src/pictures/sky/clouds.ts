import { Path2D } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { mix } from "../colour.ts";
import type { Layer, Stage } from "../stage/stage.ts";

type Cloud = {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly path: Path2D;
  readonly nearness: number;
};

/** Heaps by day, long streaks near the horizon when the sun is low, a closed cover in bad weather. */
export function cloudLayers(stage: Stage): Layer[] {
  const { brief, width } = stage;
  const isBad = brief.weather.has("rain");
  if (stage.refuses("clouds")) return [];
  if (!isBad && !brief.weather.has("clouds") && !brief.weather.has("snow")) return [streaks(stage, 3)];
  const lots = stage.random("clouds");
  const count = Math.round((isBad ? 13 : 4 + lots() * 3) * Math.max(0.8, width / 1400));
  const clouds = Array.from({ length: count }, (_, at) => heap(stage, lots, { at, count, isBad }));
  clouds.sort((one, other) => one.nearness - other.nearness);
  const far = clouds.filter(({ nearness }) => nearness < 0.5);
  const near = clouds.filter(({ nearness }) => nearness >= 0.5);
  return [streaks(stage, isBad ? 0 : 4), drifting(stage, far, 5), drifting(stage, near, 11)];
}

function heap(stage: Stage, lots: Random, place: { at: number; count: number; isBad: boolean }): Cloud {
  const { width, horizon } = stage;
  const nearness = place.isBad ? 0.5 + lots() * 0.5 : lots();
  const size = (place.isBad ? 360 : 130) + nearness * 190;
  const top = place.isBad ? 0.02 : 0.1;
  return {
    x: ((place.at + 0.15 + lots() * 0.7) / place.count) * width,
    y: horizon * (top + (1 - nearness) * (place.isBad ? 0.4 : 0.52) + lots() * 0.08),
    height: size * 0.5,
    path: heapPath(lots, size),
    nearness,
  };
}

/** A flat base and a row of domes, the highest near the middle. */
function heapPath(lots: Random, size: number): Path2D {
  const path = new Path2D();
  const domes = 5 + Math.floor(lots() * 3);
  const summit = 0.35 + lots() * 0.3;
  for (let dome = 0; dome < domes; dome++) {
    const along = dome / (domes - 1);
    const rise = Math.max(0, 1 - Math.abs(along - summit) * 1.7) ** 0.8;
    const radius = size * (0.085 + 0.125 * rise + lots() * 0.035);
    const x = (along - 0.5) * size * 0.8;
    const y = -radius * (0.55 + rise * 0.25);
    path.moveTo(x + radius, y);
    path.ellipse(x, y, radius, radius, 0, 0, Math.PI * 2);
  }
  const foot = size * 0.07;
  path.moveTo(-size * 0.45, -foot);
  path.roundRect(-size * 0.47, -foot, size * 0.94, foot * 2, foot);
  return path;
}

/** They drift so slowly that none leaves the picture before a video ends. */
function drifting(stage: Stage, clouds: readonly Cloud[], unitsPerSecond: number): Layer {
  const { light } = stage;
  return {
    depth: 0.12,
    isMoving: false,
    sway: (seconds) => ({ x: seconds * unitsPerSecond, alpha: 1 }),
    paint(pen) {
      const { context } = pen;
      for (const cloud of clouds) {
        context.save();
        context.translate(cloud.x, cloud.y);
        const distance = (1 - cloud.nearness) * 0.5;
        pen.fill(cloud.path, {
          colour: mix(light.cloudLit, light.skyMid, distance),
          alpha: 0.95,
          into: {
            colour: mix(light.cloudShade, light.skyMid, distance),
            from: [0, -cloud.height * 0.62],
            to: [0, cloud.height * 0.12],
          },
        });
        context.restore();
      }
    },
  };
}

/** Long thin lens-shaped clouds. */
function streaks(stage: Stage, count: number): Layer {
  const { light, width, horizon } = stage;
  const lots = stage.random("streaks");
  const lenses = Array.from({ length: count }, () => ({
    x: lots() * width,
    y: horizon * (0.45 + lots() * 0.42),
    radiusX: 130 + lots() * 260,
    radiusY: 5 + lots() * 8,
  }));
  return {
    depth: 0.06,
    isMoving: false,
    paint(pen) {
      for (const { x, y, radiusX, radiusY } of lenses) {
        const path = new Path2D();
        path.ellipse(x, y, radiusX, radiusY, 0, 0, Math.PI * 2);
        path.moveTo(x + radiusX, y + radiusY);
        path.ellipse(x + radiusX * 0.3, y + radiusY * 1.1, radiusX * 0.62, radiusY * 0.8, 0, 0, Math.PI * 2);
        pen.soft(() => pen.fill(path, { colour: mix(light.cloudLit, light.skyLow, 0.3), alpha: 0.5 }));
      }
    },
  };
}
