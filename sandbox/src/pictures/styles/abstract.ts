import { Path2D } from "@napi-rs/canvas";
import type { Random } from "../../random.ts";
import { css, lighten, mix, type Rgb } from "../colour.ts";
import { box, ellipse, everywhere, flat, polygon } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { type Swatches, swatchesOf } from "./swatches.ts";

/** Only colours and shapes: tiles, ribbons, rings or fog, at random or as named in the prompt. */
export function abstractLayers(stage: Stage): Layer[] {
  const random = stage.random("abstract");
  const swatches = swatchesOf(stage, random);
  const words = stage.brief.caption.toLowerCase();
  const kinds = [tiles, ribbons, rings, fog] as const;
  const named = /bauhaus|geometric|mondrian/.test(words)
    ? tiles
    : /wave|flow|curve|line/.test(words)
      ? ribbons
      : /circle|kandinsky|ring/.test(words)
        ? rings
        : /fluid|gradient|swirl|smoke|soft/.test(words)
          ? fog
          : undefined;
  const draw = named ?? kinds[Math.floor(random() * kinds.length)] ?? tiles;
  return [
    {
      depth: 0,
      isMoving: false,
      paint: (pen) => pen.fill(everywhere(stage), flat(swatches[0])),
    },
    ...draw(stage, random, swatches),
  ];
}

function anyOf(swatches: Swatches, random: Random): Rgb {
  return swatches[1 + Math.floor(random() * 4)] ?? swatches[1];
}

type Tile = {
  readonly x: number;
  readonly y: number;
  readonly kind: number;
  readonly turn: number;
  readonly back: Rgb;
  readonly front: Rgb;
  readonly dot: Rgb;
};

function tiles({ width, height }: Stage, random: Random, swatches: Swatches): Layer[] {
  const size = 1000 / (5 + Math.floor(random() * 2));
  const cells: Tile[] = [];
  for (let y = 0; y < height; y += size) {
    for (let x = 0; x < width; x += size) {
      cells.push({
        x,
        y,
        kind: Math.floor(random() * 7),
        turn: Math.floor(random() * 4),
        back: random() < 0.45 ? swatches[0] : anyOf(swatches, random),
        front: anyOf(swatches, random),
        dot: anyOf(swatches, random),
      });
    }
  }
  return [
    {
      depth: 0.3,
      isMoving: true,
      paint(pen, seconds) {
        const { context } = pen;
        for (const { x, y, kind, turn, back, front, dot } of cells) {
          context.save();
          context.translate(x + size / 2, y + size / 2);
          const quarter = Math.floor(seconds * 0.8 + ((x * 7 + y * 13) % 5));
          context.rotate(((turn + (kind === 0 || kind === 1 ? quarter : 0)) * Math.PI) / 2);
          pen.fill(box(-size / 2 - 0.6, -size / 2 - 0.6, size + 1.2, size + 1.2), flat(back));
          paintTile(pen, kind, { size, front, dot });
          context.restore();
        }
      },
    },
  ];
}

function paintTile(
  pen: Parameters<Layer["paint"]>[0],
  kind: number,
  { size, front, dot }: { size: number; front: Rgb; dot: Rgb },
): void {
  const half = size / 2;
  const path = new Path2D();
  if (kind === 0) {
    path.moveTo(-half, -half);
    path.arc(-half, -half, size, 0, Math.PI / 2);
    path.closePath();
    pen.fill(path, flat(front));
  } else if (kind === 1) {
    path.arc(0, -half, half, 0, Math.PI);
    pen.fill(path, flat(front));
    pen.fill(ellipse(0, half * 0.5, half * 0.32), flat(dot));
  } else if (kind === 2) {
    pen.fill(ellipse(0, 0, half * 0.86), flat(front));
    pen.fill(ellipse(0, 0, half * 0.42), flat(dot));
  } else if (kind === 3) {
    for (let bar = 0; bar < 4; bar++)
      pen.fill(box(-half + (bar * size) / 4, -half, size / 8, size), flat(front));
  } else if (kind === 4) {
    pen.fill(
      polygon([
        [-half, -half],
        [half, -half],
        [-half, half],
      ]),
      flat(front),
    );
  } else if (kind === 5) {
    for (const reach of [1, 0.66, 0.33]) {
      const arc = new Path2D();
      arc.moveTo(-half, -half);
      arc.arc(-half, -half, size * reach, 0, Math.PI / 2);
      arc.closePath();
      pen.fill(arc, flat(reach === 0.66 ? dot : front));
    }
  } else {
    for (let at = 0; at < 9; at++)
      pen.fill(
        ellipse(((at % 3) - 1) * size * 0.3, (Math.floor(at / 3) - 1) * size * 0.3, size * 0.07),
        flat(front),
      );
  }
}

function ribbons({ width, height }: Stage, random: Random, swatches: Swatches): Layer[] {
  const count = 15;
  const bands = Array.from({ length: count }, (_, at) => ({
    y: (at / (count - 1)) * height * 1.3 - height * 0.2,
    colour: mix(swatches[1 + (at % 4)] ?? swatches[1], swatches[0], random() * 0.3),
    rate: (Math.PI * 2) / (width * (0.7 + random() * 0.5)),
    swing: 60 + random() * 110,
    phase: at * 0.35 + random() * 0.5,
  }));
  return [
    {
      depth: 0.4,
      isMoving: true,
      paint(pen, seconds) {
        for (const { y, colour, rate, swing, phase } of bands) {
          const path = new Path2D();
          path.moveTo(-20, height + 60);
          for (let x = -20; x <= width + 20; x += 18) {
            path.lineTo(
              x,
              y +
                Math.sin(x * rate + phase + seconds * 0.7) * swing +
                Math.sin(x * rate * 2.3 - phase) * swing * 0.3,
            );
          }
          path.lineTo(width + 20, height + 60);
          path.closePath();
          pen.fill(path, {
            colour: lighten(colour, 0.16),
            into: { colour, from: [0, y - swing], to: [0, y + swing * 2] },
          });
        }
      },
    },
  ];
}

function rings({ width, height }: Stage, random: Random, swatches: Swatches): Layer[] {
  const discs = Array.from({ length: 17 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 36 + random() ** 2 * 210,
    colour: anyOf(swatches, random),
    kind: random(),
    phase: random() * 7,
  })).sort((one, other) => other.radius - one.radius);
  const lines = Array.from({ length: 11 }, () => ({
    x: random() * width,
    y: random() * height,
    turn: random() * Math.PI,
    reach: 140 + random() * 420,
    wide: 2 + random() * 7,
    colour: anyOf(swatches, random),
  }));
  return [
    {
      depth: 0.5,
      isMoving: true,
      paint(pen, seconds) {
        for (const { x, y, radius, colour, kind, phase } of discs) {
          const [left, top] = [
            x + Math.sin(seconds * 0.5 + phase) * 26,
            y + Math.cos(seconds * 0.4 + phase) * 26,
          ];
          if (kind < 0.5) pen.fill(ellipse(left, top, radius), flat(colour, 0.88));
          else
            for (const reach of [1, 0.7, 0.4])
              pen.line(ellipse(left, top, radius * reach), { ...flat(colour), width: radius * 0.1 });
          if (kind < 0.25)
            pen.fill(ellipse(left + radius * 0.2, top - radius * 0.1, radius * 0.45), flat(swatches[0]));
        }
        for (const { x, y, turn, reach, wide, colour } of lines) {
          const sway = turn + Math.sin(seconds * 0.4 + x) * 0.06;
          pen.line(
            polygon([
              [x, y],
              [x + Math.cos(sway) * reach, y + Math.sin(sway) * reach],
            ]),
            { ...flat(colour), width: wide },
          );
        }
      },
    },
  ];
}

function fog({ width, height }: Stage, random: Random, swatches: Swatches): Layer[] {
  const pools = Array.from({ length: 16 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 260 + random() * 460,
    colour: anyOf(swatches, random),
    phase: random() * 7,
  }));
  return [
    {
      depth: 0.2,
      isMoving: true,
      paint(pen, seconds) {
        const { context } = pen;
        for (const { x, y, radius, colour, phase } of pools) {
          const [left, top] = [
            x + Math.sin(seconds * 0.5 + phase) * 70,
            y + Math.cos(seconds * 0.42 + phase) * 70,
          ];
          const pool = context.createRadialGradient(left, top, 0, left, top, radius);
          pool.addColorStop(0, css(colour, 0.85));
          pool.addColorStop(0.5, css(colour, 0.42));
          pool.addColorStop(1, css(colour, 0));
          context.fillStyle = pool;
          context.fillRect(left - radius, top - radius, radius * 2, radius * 2);
        }
      },
    },
  ];
}
