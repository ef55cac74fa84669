import { Path2D } from "@napi-rs/canvas";
import { css, darken, lighten, mix, type Rgb } from "../colour.ts";
import { box, flat } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";

/** Colour of the water near the horizon and near the viewer. */
export function waterColours(stage: Stage): { far: Rgb; near: Rgb } {
  const { light, land } = stage;
  const own = stage.seen(land.water, 0);
  return {
    far: mix(mix(own, light.skyLow, 0.55), light.haze, 0.2),
    near: darken(mix(own, light.skyTop, 0.25), 0.14),
  };
}

export function waterSurface(stage: Stage, bottom = stage.height): Layer {
  const { width, horizon } = stage;
  const { far, near } = waterColours(stage);
  return {
    depth: 0.3,
    isMoving: false,
    paint(pen) {
      const path = box(-width, horizon, width * 3, stage.height - horizon + 60);
      pen.fill(path, flat(near));
      pen.soft((context) => {
        const gradient = context.createLinearGradient(0, horizon, 0, bottom);
        gradient.addColorStop(0, css(far));
        gradient.addColorStop(0.34, css(mix(far, near, 0.55)));
        gradient.addColorStop(1, css(near));
        context.fillStyle = gradient;
        context.fill(path);
      });
    },
  };
}

/** Short flat strokes that get longer towards the viewer and move with the swell. */
export function ripples(stage: Stage, options: { bottom?: number; count?: number } = {}): Layer {
  const { width, horizon, light } = stage;
  const bottom = options.bottom ?? stage.height;
  const lots = stage.random("ripples");
  const { near } = waterColours(stage);
  const strokes = Array.from(
    { length: Math.round((options.count ?? 120) * Math.max(1, width / 1300)) },
    () => {
      const nearness = lots() ** 1.3;
      return {
        x: lots() * width,
        y: horizon + 6 + nearness * (bottom - horizon),
        length: 16 + nearness * 120 * (0.4 + lots()),
        thick: 1 + nearness * 4,
        isLight: lots() < 0.6,
        phase: lots() * 7,
        nearness,
      };
    },
  );
  const [bright, dark] = [lighten(mix(near, light.skyLow, 0.65), 0.08), darken(near, 0.22)];
  return {
    depth: 0.5,
    isMoving: true,
    paint(pen, seconds) {
      for (const { x, y, length, thick, isLight, phase, nearness } of strokes) {
        const slide = Math.sin(seconds * 0.9 + phase) * (6 + nearness * 20);
        const path = new Path2D();
        path.ellipse(
          x + slide,
          y,
          length * (0.85 + 0.15 * Math.sin(seconds * 1.3 + phase)),
          thick,
          0,
          0,
          Math.PI * 2,
        );
        pen.fill(path, flat(isLight ? bright : dark, 0.34 * (0.6 + nearness * 0.4)));
      }
    },
  };
}

/** The path of light on the water from the viewer to the sun or moon. */
export function glitter(stage: Stage, bottom = stage.height): Layer[] {
  const { horizon, orb, light, brief } = stage;
  if (brief.weather.has("rain") || stage.refuses(light.isNight ? "moon" : "sun")) return [];
  const lots = stage.random("glitter");
  const glints = Array.from({ length: 150 }, () => {
    const nearness = lots() ** 1.5;
    const spread = orb.radius * (0.7 + nearness * 1.9);
    return {
      x: orb.x + (lots() + lots() - 1) * spread,
      y: horizon + 3 + nearness * (bottom - horizon) * 0.96,
      length: (8 + nearness * 42) * (0.4 + lots()),
      thick: 1 + nearness * 3.4,
      phase: lots() * 7,
      pace: 1.5 + lots() * 2.5,
    };
  });
  return [
    {
      depth: 0.45,
      isMoving: true,
      paint(pen, seconds) {
        for (const { x, y, length, thick, phase, pace } of glints) {
          const alpha = 0.5 + 0.45 * Math.sin(seconds * pace + phase);
          const path = new Path2D();
          path.ellipse(x, y, length, thick, 0, 0, Math.PI * 2);
          pen.soft(() =>
            pen.fill(path, flat(mix(light.orb, light.glow, 0.3), alpha * (light.isNight ? 0.5 : 0.8))),
          );
        }
      },
    },
  ];
}
