import { darken, hex, lighten, type Rgb } from "../colour.ts";
import { box, flat, polygon } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";

type Cottage = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly wall: Rgb;
  readonly roof: Rgb;
};

const WALLS = ["#f6ead8", "#f2d9b8", "#e9e4dc"].map(hex);
const ROOFS = ["#c9543e", "#a8473a", "#6a5a7a", "#b8703f"].map(hex);

/** A handful of small houses at a distance; their windows are lit at night. */
export function farmLayer(stage: Stage, y: number): Layer {
  const lots = stage.random("farm");
  const count = stage.wants("houses") ? 6 : 2;
  const centre = stage.width * (0.2 + lots() * 0.6);
  const cottages = Array.from({ length: count }, (): Cottage => {
    const [wall = WALLS[0], roof = ROOFS[0]] = [
      WALLS[Math.floor(lots() * WALLS.length)],
      ROOFS[Math.floor(lots() * ROOFS.length)],
    ];
    return {
      x: centre + (lots() - 0.5) * count * 66,
      y: y + lots() * 46,
      size: 34 + lots() * 16,
      wall: stage.seen(wall ?? [240, 230, 215], 0.22),
      roof: stage.seen(roof ?? [190, 80, 60], 0.22),
    };
  }).sort((one, other) => one.y - other.y);
  return {
    depth: 0.5,
    isMoving: false,
    paint(pen) {
      for (const cottage of cottages) paintCottage(stage, pen, cottage);
    },
  };
}

function paintCottage(stage: Stage, pen: Pen, { x, y, size, wall, roof }: Cottage): void {
  const [half, tall] = [size * 0.7, size * 0.72];
  pen.fill(box(x - half, y - tall, half * 2, tall), flat(wall));
  pen.soft(() => pen.fill(box(x, y - tall, half, tall), flat(darken(wall, 0.16), 0.8)));
  pen.fill(box(x + half * 0.36, y - tall * 1.9, size * 0.16, tall * 0.7), flat(darken(roof, 0.2)));
  pen.fill(
    polygon([
      [x - half * 1.2, y - tall],
      [x - half * 0.75, y - tall * 1.72],
      [x + half * 0.75, y - tall * 1.72],
      [x + half * 1.2, y - tall],
    ]),
    {
      colour: lighten(roof, 0.12),
      into: { colour: darken(roof, 0.12), from: [x - half, y], to: [x + half, y] },
    },
  );
  const glow: Rgb = stage.light.isNight || stage.brief.hour === "dusk" ? [255, 214, 120] : darken(wall, 0.45);
  for (const across of [-0.62, 0.12])
    pen.fill(box(x + half * across, y - tall * 0.66, size * 0.2, size * 0.24), flat(glow));
  pen.fill(box(x - half * 0.16, y - tall * 0.5, size * 0.17, tall * 0.5), flat(darken(roof, 0.35)));
}
