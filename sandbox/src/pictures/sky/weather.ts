import { Path2D } from "@napi-rs/canvas";
import { ellipse, flat } from "../stage/paths.ts";
import { hasSky, type Layer, type Stage } from "../stage/stage.ts";
import { mistLayer } from "./mist.ts";

/** Everything that falls or drifts in front of the scene. */
export function weatherLayers(stage: Stage): Layer[] {
  const { brief, height, horizon } = stage;
  if (!hasSky(stage)) return [];
  const fog = brief.weather.has("fog") && !stage.refuses("fog");
  return [
    ...(fog
      ? [0.02, 0.3, 0.62].map((share, at) =>
          mistLayer(stage, {
            y: horizon + (height - horizon) * share,
            height: 240,
            alpha: 0.62 - at * 0.12,
            depth: 0.4 + at * 0.3,
          }),
        )
      : []),
    ...(brief.weather.has("rain") && !stage.refuses("rain") ? [rain(stage)] : []),
    ...(brief.weather.has("snow") && !stage.refuses("snow") ? [snowfall(stage)] : []),
  ];
}

function rain(stage: Stage): Layer {
  const { width, height } = stage;
  const lots = stage.random("rain");
  const drops = Array.from({ length: Math.round((width * height) / 5200) }, () => ({
    x: lots() * (width + 200),
    y: lots() * height,
    length: 22 + lots() * 34,
    near: lots(),
  }));
  return {
    depth: 1.3,
    isMoving: true,
    paint(pen, seconds) {
      for (const { x, y, length, near } of drops) {
        const top = ((y + seconds * (900 + near * 500)) % (height + 100)) - 60;
        const path = new Path2D();
        path.moveTo(x - top * 0.14, top);
        path.lineTo(x - (top + length) * 0.14, top + length);
        pen.soft(() =>
          pen.line(path, { ...flat([226, 238, 250], 0.16 + near * 0.26), width: 1 + near * 1.4 }),
        );
      }
    },
  };
}

function snowfall(stage: Stage): Layer {
  const { width, height } = stage;
  const lots = stage.random("snowfall");
  const flakes = Array.from({ length: Math.round((width * height) / 5600) }, () => ({
    x: lots() * width,
    y: lots() * height,
    size: 1.2 + lots() ** 3 * 6.5,
    phase: lots() * 7,
  }));
  return {
    depth: 1.3,
    isMoving: true,
    paint(pen, seconds) {
      for (const { x, y, size, phase } of flakes) {
        const fallen = ((y + seconds * (34 + size * 14)) % (height + 20)) - 10;
        const left = x + Math.sin(seconds * 0.8 + phase) * 16;
        pen.fill(ellipse(left, fallen, size), flat([255, 255, 255], size > 4 ? 0.62 : 0.86));
      }
    },
  };
}
