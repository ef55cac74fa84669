import { css, darken, hex, lighten, mix, type Rgb } from "../colour.ts";
import { paintGlow } from "../stage/glow.ts";
import { box, ellipse, fall, flat, polygon } from "../stage/paths.ts";
import type { Layer, Pen, Stage } from "../stage/stage.ts";
import { paintTree, type Tree, treeLots } from "./trees.ts";

/** Pavement, asphalt with road markings, trees and lamps along the kerb. */
export function streetLayers(stage: Stage): Layer[] {
  const { width, horizon, height, light } = stage;
  const room = height - horizon;
  const asphalt = stage.seen(hex("#565b72"), 0.05);
  const pavement = stage.seen(hex("#b9b0b4"), 0.05);
  const isWet = stage.brief.weather.has("rain");
  const road: Layer = {
    depth: 0.85,
    isMoving: false,
    paint(pen) {
      pen.fill(
        box(-width, horizon, width * 3, room + 60),
        fall(lighten(pavement, 0.1), pavement, horizon, horizon + room * 0.3),
      );
      pen.fill(
        box(-width, horizon + room * 0.3, width * 3, room),
        fall(lighten(asphalt, 0.06), darken(asphalt, 0.2), horizon + room * 0.3, height),
      );
      pen.fill(box(-width, horizon + room * 0.28, width * 3, room * 0.035), flat(lighten(pavement, 0.3)));
      for (let mark = -1; mark < width / 170 + 1; mark++) {
        pen.fill(
          polygon(slanted(mark * 170, horizon + room * 0.62, room * 0.045)),
          flat(stage.seen([244, 236, 214], 0), 0.85),
        );
      }
      if (isWet) pen.soft((context) => paintGloss(context, stage, horizon + room * 0.3));
    },
  };
  return [road, ...kerbLayers(stage, horizon + room * 0.29, light.isNight || stage.brief.hour === "dusk")];
}

function slanted(x: number, y: number, tall: number) {
  return [
    [x, y],
    [x + 92, y],
    [x + 78, y + tall],
    [x - 14, y + tall],
  ] as const;
}

/** Lights of the houses, reflected long and blurred in the wet. */
function paintGloss(context: Pen["context"], stage: Stage, from: number): void {
  const lots = stage.random("gloss");
  const colours: Rgb[] = [hex("#ffd98a"), stage.light.skyLow];
  context.save();
  context.globalCompositeOperation = "screen";
  for (let streak = 0; streak < 26; streak++) {
    const [x, wide] = [lots() * stage.width, 6 + lots() * 26];
    const gradient = context.createLinearGradient(0, from, 0, stage.height);
    const colour = colours[streak % colours.length] ?? stage.light.skyLow;
    gradient.addColorStop(0, css(colour, 0.34));
    gradient.addColorStop(0.8, css(colour, 0));
    context.fillStyle = gradient;
    context.fillRect(x, from, wide, stage.height - from);
  }
  context.restore();
}

function kerbLayers(stage: Stage, y: number, isLit: boolean): Layer[] {
  const lots = stage.random("kerb");
  const { width, land } = stage;
  const lamps = Array.from({ length: Math.ceil(width / 340) + 1 }, (_, at) => 90 + at * 340 + lots() * 30);
  const trees: Tree[] = stage.refuses("trees")
    ? []
    : lamps.map(
        (x): Tree => ({
          kind: "round",
          x: x + 150 + lots() * 50,
          y: y - 4,
          height: 130 + lots() * 46,
          leaf: stage.seen(mix(land.leaf, land.leafLight, lots() * 0.4), 0.06),
          trunk: stage.seen(land.wood, 0.05),
          hasSnow: false,
          lit: stage.orb.x < x ? -1 : 1,
          lots: treeLots(lots),
        }),
      );
  return [
    {
      depth: 0.88,
      isMoving: false,
      paint(pen) {
        for (const tree of trees) paintTree(pen, tree);
        for (const x of lamps) paintLamp(stage, pen, { x, y, isLit });
      },
    },
  ];
}

function paintLamp(stage: Stage, pen: Pen, { x, y, isLit }: { x: number; y: number; isLit: boolean }): void {
  const post = stage.seen(hex("#2f3450"), 0);
  pen.fill(box(x - 2.5, y - 150, 5, 150), flat(post));
  pen.fill(box(x - 7, y - 8, 14, 10, 2), flat(post));
  const bulb: Rgb = isLit ? [255, 224, 150] : stage.seen([235, 235, 225], 0);
  if (isLit) {
    pen.soft((context) => paintGlow(context, { x, y: y - 158, core: 2, radius: 120 }, bulb, 0.55));
  }
  pen.fill(ellipse(x, y - 158, 11, 13), flat(bulb));
  pen.fill(box(x - 9, y - 174, 18, 5, 2), flat(post));
}
