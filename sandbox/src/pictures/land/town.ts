import type { Random } from "../../random.ts";
import { darken, hex, lighten, mix, type Rgb } from "../colour.ts";
import { box, ellipse, fall, flat, polygon } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import type { Ground } from "./ground.ts";
import { mistLayer } from "./mist.ts";
import { streetLayers } from "./street.ts";

type House = {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly colour: Rgb;
  readonly roof: "flat" | "slope" | "spire" | "steps" | "dome" | "tank";
  readonly columns: number;
  readonly rows: number;
  /** Random numbers that decide which windows are lit. */
  readonly windows: readonly number[];
};

const WALLS = ["#5b6b9a", "#7a6a9c", "#b0677e", "#d98a6a", "#e3b27c", "#5f8f9e", "#8a7f96", "#c9706a"].map(
  hex,
);

/** Three rows of houses that fade into the haze, a street in front. */
export function town(stage: Stage): Ground {
  const { horizon, height } = stage;
  const scale = height > stage.width ? 1.35 : 1;
  const behind: Layer[] = [
    skyline(stage, { name: "row 1", y: horizon, tall: 420 * scale, wide: 62, distance: 0.7, depth: 0.2 }),
    mistLayer(stage, { y: horizon, height: 260, alpha: 0.4, depth: 0.22 }),
    skyline(stage, { name: "row 2", y: horizon, tall: 330 * scale, wide: 84, distance: 0.4, depth: 0.36 }),
    mistLayer(stage, { y: horizon, height: 190, alpha: 0.34, depth: 0.38 }),
    skyline(stage, {
      name: "row 3",
      y: horizon + 8,
      tall: 240 * scale,
      wide: 118,
      distance: 0.08,
      depth: 0.6,
    }),
    ...streetLayers(stage),
  ];
  return { behind, front: [], footing: horizon + (height - horizon) * 0.72, surface: "land" };
}

type Row = { name: string; y: number; tall: number; wide: number; distance: number; depth: number };

function skyline(stage: Stage, row: Row): Layer {
  const lots = stage.random(row.name);
  const houses: House[] = [];
  for (let x = -40; x < stage.width + 40; ) {
    const house = makeHouse(lots, row, x);
    houses.push(house);
    x += house.width + (lots() < 0.25 ? lots() * 18 : -2);
  }
  return {
    depth: row.depth,
    isMoving: false,
    paint(pen) {
      for (const house of houses) paintHouse(stage, pen, house, row);
    },
  };
}

function makeHouse(lots: Random, row: Row, x: number): House {
  const width = row.wide * (0.7 + lots() * 0.75);
  const height = row.tall * (0.38 + lots() ** 1.5 * 0.72);
  const columns = Math.max(2, Math.round(width / (13 + row.wide * 0.08)));
  const rows = Math.max(2, Math.round(height / (20 + row.wide * 0.1)));
  const roofs = ["flat", "flat", "tank", "slope", "spire", "steps", "dome"] as const;
  return {
    x,
    width,
    height,
    colour: WALLS[Math.floor(lots() * WALLS.length)] ?? [90, 100, 140],
    roof: roofs[Math.floor(lots() * roofs.length)] ?? "flat",
    columns,
    rows,
    windows: Array.from({ length: columns * rows }, lots),
  };
}

function paintHouse(stage: Stage, pen: Pen, house: House, row: Row): void {
  const { x, width, height } = house;
  const base = stage.light.isNight ? mix(house.colour, [40, 46, 92], 0.45) : house.colour;
  const wall = stage.seen(base, row.distance);
  const foot = stage.seen(base, Math.min(1, row.distance + 0.22));
  const top = row.y - height;
  const isLitLeft = stage.orb.x < x + width / 2;
  pen.fill(box(x, top, width, height + 6), fall(lighten(wall, 0.06), foot, top, row.y));
  pen.soft(() =>
    pen.fill(
      box(isLitLeft ? x + width * 0.62 : x, top, width * 0.38, height + 6),
      flat(darken(wall, 0.3), 0.4),
    ),
  );
  paintRoof(pen, house, top, wall);
  paintWindows(stage, pen, house, { ...row, wall });
}

function paintRoof(pen: Pen, { x, width, roof }: House, top: number, wall: Rgb): void {
  const dark = darken(wall, 0.18);
  const middle = x + width / 2;
  switch (roof) {
    case "slope":
      pen.fill(
        polygon([
          [x, top + 1],
          [x, top - width * 0.34],
          [x + width, top + 1],
        ]),
        flat(wall),
      );
      break;
    case "spire":
      pen.fill(
        polygon([
          [x + width * 0.16, top + 1],
          [middle, top - width * 0.62],
          [x + width * 0.84, top + 1],
        ]),
        flat(wall),
      );
      pen.fill(box(middle - 1.3, top - width * 1.15, 2.6, width * 0.6), flat(dark));
      break;
    case "steps":
      pen.fill(box(x + width * 0.14, top - width * 0.2, width * 0.72, width * 0.21), flat(wall));
      pen.fill(box(x + width * 0.3, top - width * 0.36, width * 0.4, width * 0.18), flat(wall));
      break;
    case "dome":
      pen.fill(ellipse(middle, top + 2, width * 0.36, width * 0.3), flat(wall));
      break;
    case "tank":
      pen.fill(box(x + width * 0.2, top - width * 0.2, width * 0.24, width * 0.21, 2), flat(dark));
      pen.fill(box(x + width * 0.7, top - width * 0.42, 2.4, width * 0.42), flat(dark));
      break;
    case "flat":
      pen.fill(box(x - 2, top - 4, width + 4, 6), flat(dark));
      break;
  }
}

const LAMPS = ["#ffd98a", "#ffc46b", "#fff0c4", "#bfe6ff"].map(hex);

function paintWindows(stage: Stage, pen: Pen, house: House, row: Row & { wall: Rgb }): void {
  const { columns, rows, windows, width, height, x } = house;
  const isDark = stage.light.isNight || stage.brief.hour === "dusk";
  const [cellX, cellY] = [(width - 10) / columns, (height - 12) / rows];
  const glass = mix(row.wall, stage.light.skyLow, 0.35);
  windows.forEach((lot, at) => {
    const isLit = isDark ? lot < 0.42 : lot < 0.06;
    if (!isLit && lot > 0.9) return;
    const colour = isLit
      ? (LAMPS[Math.floor(lot * 97) % LAMPS.length] ?? glass)
      : darken(glass, isDark ? 0.3 : 0.1);
    const path = box(
      x + 5 + (at % columns) * cellX + cellX * 0.2,
      row.y - height + 8 + Math.floor(at / columns) * cellY + cellY * 0.2,
      cellX * 0.58,
      cellY * 0.56,
    );
    pen.fill(
      path,
      flat(isLit ? mix(colour, stage.light.haze, row.distance * 0.55) : colour, isLit ? 0.95 : 0.5),
    );
  });
}
