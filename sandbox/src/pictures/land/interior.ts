import { css, darken, hex, hsl, lighten, mix, type Rgb } from "../colour.ts";
import { skyLayers } from "../sky/sky.ts";
import { box, ellipse, everywhere, fall, flat, polygon } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";
import { hillLayer } from "./hills.ts";

const WALLS = ["#e9c9a8", "#9fb7a6", "#c7a0a0", "#8fa6c4", "#d9b36c", "#b7a3c9"].map(hex);

/** A wall with a window that shows the time of day, and a table with light on it. */
export function interior(stage: Stage): Ground {
  const { width, height, horizon, brief } = stage;
  const lots = stage.random("interior");
  const named = brief.colours[0];
  const wall = stage.seen(named ?? WALLS[Math.floor(lots() * WALLS.length)] ?? [220, 200, 170], 0.08);
  const wood = stage.seen(hex("#a8693f"), 0);
  const frame = {
    x: width * (lots() < 0.5 ? 0.08 : 0.56),
    y: height * 0.1,
    width: width * 0.36,
    height: Math.min(horizon * 0.62, 520),
  };
  const room: Layer = {
    depth: 0.5,
    isMoving: false,
    paint(pen) {
      pen.fill(everywhere(stage), fall(lighten(wall, 0.1), darken(wall, 0.16), 0, horizon));
      paintWindow(stage, pen, frame);
      paintShelf(stage, pen, {
        x: frame.x < width / 2 ? width * 0.62 : width * 0.1,
        y: height * 0.34,
        width: width * 0.26,
      });
    },
  };
  const table: Layer = {
    depth: 1,
    isMoving: false,
    paint(pen) {
      pen.soft((context) => {
        const shade = context.createLinearGradient(0, horizon - 70, 0, horizon);
        shade.addColorStop(0, css(darken(wall, 0.6), 0));
        shade.addColorStop(1, css(darken(wall, 0.6), 0.35));
        context.fillStyle = shade;
        context.fillRect(-width, horizon - 70, width * 3, 70);
      });
      pen.fill(
        box(-width, horizon, width * 3, height),
        fall(lighten(wood, 0.22), darken(wood, 0.18), horizon, height),
      );
      pen.fill(box(-width, horizon, width * 3, 7), flat(lighten(wood, 0.4)));
      const grain = stage.random("wood");
      for (let line = 0; line < 14; line++) {
        const y = horizon + 16 + grain() * (height - horizon);
        pen.soft(() =>
          pen.fill(ellipse(grain() * width, y, 120 + grain() * 260, 1.4), flat(darken(wood, 0.35), 0.28)),
        );
      }
      paintSunPatch(stage, pen, frame);
    },
  };
  return { behind: [room, table], front: [], footing: horizon + (height - horizon) * 0.42, surface: "table" };
}

type Frame = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function paintWindow(stage: Stage, pen: Pen, { x, y, width, height }: Frame): void {
  const { context } = pen;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  const scale = Math.max(width / stage.width, (height * 1.15) / stage.horizon);
  context.translate(x + width / 2 - (stage.width * scale) / 2, y);
  context.scale(scale, scale);
  const { land, horizon } = stage;
  const outside = [
    ...skyLayers(stage),
    hillLayer(stage, {
      name: "outside 1",
      y: horizon * 0.72,
      height: 40,
      length: 600,
      distance: 0.5,
      depth: 0,
      colour: land.grass,
      light: land.grassLight,
      trees: 14,
      treeHeight: 70,
    }),
    hillLayer(stage, {
      name: "outside 2",
      y: horizon * 0.84,
      height: 40,
      length: 800,
      distance: 0.2,
      depth: 0,
      colour: land.grass,
      light: land.grassLight,
      trees: 8,
      treeHeight: 120,
    }),
  ];
  for (const layer of outside) layer.paint(pen, 0);
  context.restore();
  const white = stage.seen([250, 246, 238], 0.04);
  pen.line(box(x, y, width, height), { ...flat(white), width: 18 });
  pen.line(box(x + width / 2, y, 0.1, height), { ...flat(white), width: 9 });
  pen.line(box(x, y + height * 0.45, width, 0.1), { ...flat(white), width: 9 });
  pen.fill(box(x - 22, y + height + 4, width + 44, 16, 4), flat(darken(white, 0.08)));
}

/** The window's light, slanting over the table. */
function paintSunPatch(stage: Stage, pen: Pen, { x, width }: Frame): void {
  if (stage.light.isNight) return;
  const { horizon, height, light } = stage;
  const lean = stage.orb.x < stage.width / 2 ? 150 : -150;
  const tall = height - horizon;
  pen.soft((context) => {
    context.save();
    context.globalCompositeOperation = "soft-light";
    for (const half of [0.03, 0.53]) {
      const left = x + width * half;
      context.fillStyle = css(mix(light.glow, [255, 255, 255], 0.3), 0.7);
      context.fill(
        polygon([
          [left + lean * 0.2, horizon + 8],
          [left + width * 0.44 + lean * 0.2, horizon + 8],
          [left + width * 0.5 + lean, horizon + tall * 0.86],
          [left - width * 0.02 + lean, horizon + tall * 0.86],
        ]),
      );
    }
    context.restore();
  });
}

function paintShelf(stage: Stage, pen: Pen, { x, y, width }: { x: number; y: number; width: number }): void {
  const lots = stage.random("shelf");
  const wood = stage.seen(hex("#8a5a3b"), 0.1);
  pen.soft(() => pen.fill(box(x, y + 10, width, 22), flat(darken(wood, 0.5), 0.16)));
  pen.fill(box(x, y, width, 13, 3), flat(wood));
  for (let left = x + 12; left < x + width * 0.62; ) {
    const [wide, tall] = [12 + lots() * 13, 62 + lots() * 40];
    pen.fill(box(left, y - tall, wide, tall, 2), flat(stage.seen(bookColour(lots()), 0.12)));
    pen.soft(() => pen.fill(box(left + 2, y - tall + 10, wide - 4, 5), flat([255, 255, 255], 0.4)));
    left += wide + 1.5;
  }
  const [potX, size] = [x + width * 0.8, 44];
  const leaf = stage.seen(hex("#3f8f5c"), 0.08);
  for (let at = 0; at < 7; at++) {
    const turn = -Math.PI / 2 + (at - 3) * 0.42;
    pen.line(
      polygon([
        [potX, y - size * 0.8],
        [potX + Math.cos(turn) * size, y - size * 0.8 + Math.sin(turn) * size * 1.1],
      ]),
      { ...flat(at % 2 === 0 ? leaf : lighten(leaf, 0.18)), width: 9 },
    );
  }
  pen.fill(
    polygon([
      [potX - size * 0.46, y - size * 0.85],
      [potX + size * 0.46, y - size * 0.85],
      [potX + size * 0.34, y],
      [potX - size * 0.34, y],
    ]),
    flat(stage.seen(hex("#d9805a"), 0.06)),
  );
}

function bookColour(lot: number): Rgb {
  return hsl(lot * 360, 0.42, 0.52);
}

const BACKDROPS = [
  "#f4a259",
  "#5b8e7d",
  "#8cb369",
  "#bc4b51",
  "#5c80bc",
  "#e8998d",
  "#6d597a",
  "#f2c14e",
].map(hex);

/** A plain backdrop with a disc behind the figure, like a photographer's lighting. */
export function studio(stage: Stage): Ground {
  const { width, height, horizon, brief } = stage;
  const lots = stage.random("studio");
  const base = brief.colours[0] ?? BACKDROPS[Math.floor(lots() * BACKDROPS.length)] ?? [244, 162, 89];
  const disc = brief.colours[1] ?? lighten(base, 0.34);
  const radius = Math.min(width, height) * 0.42;
  const centre = Math.max(radius * 1.08, horizon - radius * 0.9);
  const marks = Array.from({ length: 12 }, () => ({
    x: lots() * width,
    y: lots() * horizon * 0.9,
    size: 5 + lots() * 12,
  }));
  const backdrop: Layer = {
    depth: 0.3,
    isMoving: false,
    paint(pen) {
      pen.fill(everywhere(stage), fall(lighten(base, 0.16), darken(base, 0.1), 0, height));
      pen.fill(ellipse(width / 2, centre, radius), {
        colour: lighten(disc, 0.16),
        into: {
          colour: mix(disc, base, 0.35),
          from: [0, centre - radius],
          to: [0, centre + radius],
        },
      });
      for (const { x, y, size } of marks)
        pen.soft(() => pen.fill(ellipse(x, y, size), flat(lighten(base, 0.5), 0.35)));
    },
  };
  const floor: Layer = {
    depth: 0.9,
    isMoving: false,
    paint: (pen) =>
      pen.fill(
        box(-width, horizon, width * 3, height),
        fall(darken(base, 0.12), darken(base, 0.28), horizon, height),
      ),
  };
  return {
    behind: [backdrop, floor],
    front: [],
    footing: horizon + (height - horizon) * 0.42,
    surface: "table",
  };
}
