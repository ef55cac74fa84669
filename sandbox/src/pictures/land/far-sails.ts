import { darken } from "../colour.ts";
import { flat, polygon } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";

/** White triangles on the horizon, which give the sea a scale. */
export function sailLayer(stage: Stage, y: number): Layer[] {
  const lots = stage.random("sails");
  if (stage.refuses("boats") || (!stage.wants("boats") && lots() < 0.4)) return [];
  const sails = Array.from({ length: stage.wants("boats") ? 5 : 2 }, () => ({
    x: stage.width * (0.08 + lots() * 0.84),
    y: y + lots() * 26,
    size: 20 + lots() * 22,
    phase: lots() * 7,
  }));
  const sail = stage.seen([252, 248, 240], 0.25);
  return [
    {
      depth: 0.34,
      isMoving: true,
      paint(pen, seconds) {
        for (const { x, y: foot, size, phase } of sails) {
          const left = x + seconds * 5;
          const tilt = Math.sin(seconds * 0.9 + phase) * 1.4;
          pen.fill(
            polygon([
              [left, foot - size * 0.2],
              [left + tilt, foot - size * 1.5],
              [left + size * 0.72, foot - size * 0.3],
            ]),
            flat(sail),
          );
          pen.fill(
            polygon([
              [left - size * 0.1, foot - size * 0.26],
              [left + tilt - 1, foot - size * 1.3],
              [left - size * 0.5, foot - size * 0.3],
            ]),
            flat(darken(sail, 0.14)),
          );
          pen.fill(
            polygon([
              [left - size * 0.6, foot - size * 0.18],
              [left + size * 0.8, foot - size * 0.18],
              [left + size * 0.5, foot + size * 0.12],
              [left - size * 0.4, foot + size * 0.12],
            ]),
            flat(darken(sail, 0.6)),
          );
        }
      },
    },
  ];
}
