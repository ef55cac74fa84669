import { darken, lighten } from "../colour.ts";
import { sparkle } from "../sky/stars.ts";
import { ellipse, everywhere, flat } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { figureOf } from "../subjects/figure-list.ts";
import { paintFigure } from "../subjects/paint-figure.ts";
import { swatchesOf } from "./swatches.ts";

const BY_LOT = ["flower", "mushroom", "heart", "star", "fruit", "plant"] as const;
const CELL_UNITS = 230;

/** The named subjects in staggered rows, with small marks between them. */
export function patternLayers(stage: Stage): Layer[] {
  const random = stage.random("pattern");
  const swatches = swatchesOf(stage, random);
  const { width, height, brief } = stage;
  const lot = BY_LOT[Math.floor(random() * BY_LOT.length)] ?? "flower";
  const named = brief.subjects.length > 0 ? brief.subjects : [{ name: lot, colour: null }];
  const motifs = named.flatMap(({ name, colour }) => {
    const figure = figureOf(name);
    return figure === undefined ? [] : [{ figure, colour }];
  });
  const cells: { x: number; y: number; at: number; turn: number }[] = [];
  for (let row = -1; row * CELL_UNITS * 0.86 < height + CELL_UNITS; row++) {
    for (let column = -1; column * CELL_UNITS < width + CELL_UNITS; column++) {
      cells.push({
        x: (column + (row % 2 === 0 ? 0.5 : 0)) * CELL_UNITS,
        y: row * CELL_UNITS * 0.86 + CELL_UNITS * 0.5,
        at: Math.abs(row * 2 + column),
        turn: (random() - 0.5) * 0.5,
      });
    }
  }
  const ground = swatches[0];
  return [
    {
      depth: 0,
      isMoving: false,
      paint: (pen) => pen.fill(everywhere(stage), flat(ground)),
    },
    {
      depth: 0.5,
      isMoving: true,
      paint(pen, seconds) {
        const { context } = pen;
        for (const { x, y, at, turn } of cells) {
          const motif = motifs[at % motifs.length];
          if (motif === undefined) continue;
          context.save();
          context.translate(x, y);
          context.rotate(turn + Math.sin(seconds * 1.4 + at) * 0.08);
          paintFigure(
            stage,
            pen,
            { ...motif, x: 0, y: 74, size: 148, isFlipped: at % 3 === 0, distance: 0, phase: at },
            seconds,
          );
          context.restore();
          const mark = swatches[1 + (at % 4)] ?? darken(ground, 0.3);
          pen.fill(
            at % 2 === 0 ? sparkle(x + CELL_UNITS / 2, y, 17) : ellipse(x + CELL_UNITS / 2, y, 7),
            flat(mark),
          );
          pen.fill(ellipse(x + CELL_UNITS * 0.25, y + CELL_UNITS * 0.44, 4), flat(lighten(mark, 0.3)));
        }
      },
    },
  ];
}
