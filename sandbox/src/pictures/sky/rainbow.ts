import { Path2D } from "@napi-rs/canvas";
import { hsl } from "../colour.ts";
import type { Layer, Stage } from "../stage/stage.ts";

const HUES = [0, 28, 52, 120, 205, 250, 285];

export function rainbowLayers(stage: Stage): Layer[] {
  if (!stage.brief.weather.has("rainbow") || stage.refuses("rainbow")) return [];
  const { width, horizon } = stage;
  const radius = Math.min(width * 0.46, horizon * 0.86);
  return [
    {
      depth: 0.08,
      isMoving: false,
      paint(pen) {
        HUES.forEach((hue, band) => {
          const path = new Path2D();
          path.arc(width / 2, horizon * 1.02, radius - band * 15, Math.PI, Math.PI * 2);
          pen.line(path, { colour: hsl(hue, 0.85, 0.64), alpha: 0.55, width: 15 });
        });
      },
    },
  ];
}
