import { css, hsl } from "../colour.ts";
import { wave } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";

const RIBBONS = 3;
const RAY_UNITS = 7;

/** Curtains of upright rays along waving lines. */
export function auroraLayers(stage: Stage): Layer[] {
  const { brief, width, horizon } = stage;
  const isHere = brief.weather.has("aurora") || (brief.setting === "arctic" && stage.light.isNight);
  if (!isHere || stage.refuses("aurora")) return [];
  const lots = stage.random("aurora");
  const ribbons = Array.from({ length: RIBBONS }, (_, at) => ({
    line: wave(lots, {
      width,
      y: horizon * (0.36 + at * 0.15),
      height: 70 + lots() * 50,
      length: width * 0.7,
      step: RAY_UNITS,
    }),
    hue: 142 + at * 28 + lots() * 20,
    height: horizon * (0.3 + lots() * 0.14),
    phase: lots() * 7,
  }));
  return ribbons.map(
    ({ line, hue, height, phase }): Layer => ({
      depth: 0.02,
      isMoving: false,
      sway: (seconds) => ({
        x: Math.sin(seconds * 0.4 + phase) * 22 - Math.sin(phase) * 22,
        alpha: 0.75 + 0.25 * Math.cos(seconds * (0.7 + phase * 0.1)),
      }),
      paint(pen) {
        pen.soft((context) => {
          context.save();
          context.globalCompositeOperation = "screen";
          line.forEach(([x, y], at) => {
            const swell = 0.5 + 0.5 * Math.sin(at * 0.06 + phase) * Math.sin(at * 0.19);
            const top = y - height * (0.5 + 0.5 * swell);
            const gradient = context.createLinearGradient(0, top, 0, y + 14);
            gradient.addColorStop(0, css(hsl(hue + 70, 0.75, 0.55), 0));
            gradient.addColorStop(0.65, css(hsl(hue + 22, 0.75, 0.55), 0.2 * swell));
            gradient.addColorStop(0.94, css(hsl(hue, 0.85, 0.6), 0.5 * swell));
            gradient.addColorStop(1, css(hsl(hue, 0.85, 0.6), 0));
            context.fillStyle = gradient;
            context.fillRect(x, top, RAY_UNITS + 0.6, y + 14 - top);
          });
          context.restore();
        });
      },
    }),
  );
}
