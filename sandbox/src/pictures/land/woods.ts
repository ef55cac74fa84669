import { Path2D } from "@napi-rs/canvas";
import { darken, mix } from "../colour.ts";
import { mistLayer } from "../sky/mist.ts";
import { beamLayers } from "../sky/sky.ts";
import { flat } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { pathLayers } from "./countryside.ts";
import type { Ground } from "./ground.ts";
import { hillLayer } from "./hills.ts";
import { meadowRim } from "./meadow.ts";
import { paintTree, type Tree, treeLots } from "./trees.ts";

/** Rows of trees, darker the nearer they are, with light falling on a clearing between them. */
export function woods(stage: Stage): Ground {
  const { horizon, height, land, brief } = stage;
  const room = height - horizon;
  const isWinter = brief.season === "winter";
  const floor = isWinter ? land.grass : mix(land.grass, land.conifer, 0.3);
  const rows = [
    { distance: 0.72, y: -14, tall: 250, density: 26, depth: 0.22 },
    { distance: 0.52, y: 6, tall: 330, density: 17, depth: 0.36 },
    { distance: 0.3, y: 34, tall: 430, density: 10, depth: 0.52 },
  ];
  const behind: Layer[] = [
    ...rows.flatMap(({ distance, y, tall, density, depth }, at) => [
      treeRow(stage, { name: `row ${at}`, y: horizon + y, tall, density, distance, depth }),
      mistLayer(stage, { y: horizon + y + 26, height: 150, alpha: 0.46 - at * 0.1, depth }),
    ]),
    hillLayer(stage, {
      name: "clearing",
      y: horizon + 40,
      height: 22,
      length: 900,
      distance: 0.1,
      depth: 0.7,
      colour: floor,
      light: mix(floor, land.grassLight, 0.45),
    }),
    hillLayer(stage, {
      name: "floor",
      y: horizon + room * 0.55,
      height: 26,
      length: 1200,
      distance: 0,
      depth: 1,
      colour: darken(floor, 0.12),
      light: floor,
    }),
    ...pathLayers(stage, horizon + 56),
    ...beamLayers(stage, stage.light.isNight ? 0.14 : 0.24),
  ];
  return {
    behind,
    front: [...trunks(stage), ...meadowRim(stage, 90)],
    footing: horizon + room * 0.74,
    surface: "land",
  };
}

type Row = { name: string; y: number; tall: number; density: number; distance: number; depth: number };

function treeRow(stage: Stage, { name, y, tall, density, distance, depth }: Row): Layer {
  const lots = stage.random(name);
  const { width, land, brief } = stage;
  const count = stage.refuses("trees") ? 0 : Math.round((width / 1000) * density);
  // Autumn and spring show in leafy trees, summer and winter in conifers.
  const leafy = brief.season === "autumn" || brief.season === "spring" ? 0.62 : 0.22;
  const scale = Math.max(1, stage.height / 1400);
  const trees = Array.from({ length: count }, (_, at): Tree => {
    const isLeafy = lots() < leafy;
    const x = ((at + lots()) / count) * width;
    const leaf = isLeafy ? mix(land.leaf, land.leafLight, lots()) : land.conifer;
    return {
      kind: isLeafy ? "round" : "conifer",
      x,
      y: y + lots() * 22,
      height: tall * scale * (0.72 + lots() * 0.5),
      leaf: stage.seen(darken(leaf, 0.16 * (1 - distance)), distance),
      trunk: stage.seen(land.wood, distance),
      hasSnow: brief.season === "winter",
      lit: stage.orb.x < x ? -1 : 1,
      lots: treeLots(lots),
    };
  });
  return {
    depth,
    isMoving: false,
    paint(pen) {
      for (const tree of trees) paintTree(pen, tree);
    },
  };
}

/** Two dark trunks at the edges frame the picture. */
function trunks(stage: Stage): Layer[] {
  if (stage.refuses("trees")) return [];
  const lots = stage.random("trunks");
  const { width, height, land } = stage;
  const dark = stage.seen(darken(land.wood, 0.55), 0);
  const stems = [
    { x: width * (0.02 + lots() * 0.05), thick: 62 + lots() * 34, lean: 26 },
    { x: width * (0.94 + lots() * 0.05), thick: 48 + lots() * 34, lean: -22 },
  ];
  return [
    {
      depth: 1.2,
      isMoving: false,
      paint(pen) {
        for (const { x, thick, lean } of stems) {
          const path = new Path2D();
          path.moveTo(x - thick * 1.1, height + 20);
          path.quadraticCurveTo(x - thick * 0.42, height * 0.82, x - thick * 0.4 + lean, -20);
          path.lineTo(x + thick * 0.32 + lean, -20);
          path.quadraticCurveTo(x + thick * 0.46, height * 0.82, x + thick * 1.2, height + 20);
          path.closePath();
          pen.fill(path, flat(dark));
          const limb = new Path2D();
          const side = lean > 0 ? 1 : -1;
          limb.moveTo(x + lean * 0.6, height * 0.34);
          limb.quadraticCurveTo(x + side * 90, height * 0.28, x + side * 150, height * 0.16);
          pen.line(limb, { ...flat(dark), width: thick * 0.26 });
        }
      },
    },
  ];
}
