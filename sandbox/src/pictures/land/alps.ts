import { darken, mix } from "../colour.ts";
import { mistLayer } from "../sky/mist.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { pathLayers } from "./countryside.ts";
import type { Ground } from "./ground.ts";
import { hillLayer } from "./hills.ts";
import { meadowRim } from "./meadow.ts";
import { rangeLayers } from "./peaks.ts";

/** Two or three ranges in the haze above dark forested slopes. */
export function alps(stage: Stage): Ground {
  const { horizon, height, land, brief } = stage;
  const room = height - horizon;
  const isTall = height > stage.width;
  const scale = isTall ? 1.35 : 1;
  const rock = brief.season === "winter" ? mix(land.rock, land.snow, 0.2) : land.rock;
  const behind: Layer[] = [
    ...rangeLayers(stage, {
      name: "range 1",
      base: horizon + 10,
      height: 400 * scale,
      count: 3,
      distance: 0.68,
      depth: 0.12,
      rock,
      hasSnow: true,
    }),
    mistLayer(stage, { y: horizon - 20, height: 190, alpha: 0.5, depth: 0.14 }),
    ...rangeLayers(stage, {
      name: "range 2",
      base: horizon + 40,
      height: 300 * scale,
      count: 4,
      distance: 0.4,
      depth: 0.22,
      rock,
      hasSnow: brief.season !== "summer" || stage.random("snow line")() < 0.6,
    }),
    mistLayer(stage, { y: horizon + 30, height: 160, alpha: 0.55, depth: 0.24 }),
    ...slopes(stage),
    hillLayer(stage, {
      name: "near slope",
      y: horizon + room * 0.66,
      height: 40,
      length: 1100,
      distance: 0,
      depth: 1,
      colour: land.grass,
      light: land.grassLight,
      trees: 5,
      treeHeight: 165,
      treeKind: "conifer",
    }),
    ...pathLayers(stage, horizon + room * 0.46),
  ];
  return { behind, front: meadowRim(stage, 60), footing: horizon + room * 0.8, surface: "land" };
}

/** Forest rising to the mountains, darker as it comes nearer. */
function slopes(stage: Stage): Layer[] {
  const { horizon, height, land } = stage;
  const room = height - horizon;
  const isWinter = stage.brief.season === "winter";
  const ground = isWinter ? land.grass : mix(land.conifer, land.grass, 0.35);
  return [
    hillLayer(stage, {
      name: "slope 1",
      y: horizon + room * 0.05,
      height: 70,
      length: 700,
      distance: 0.48,
      depth: 0.34,
      colour: darken(ground, 0.1),
      light: ground,
      trees: 60,
      treeHeight: 42,
      treeKind: "conifer",
    }),
    mistLayer(stage, { y: horizon + room * 0.22, height: 110, alpha: 0.42, depth: 0.36 }),
    hillLayer(stage, {
      name: "slope 2",
      y: horizon + room * 0.3,
      height: 60,
      length: 860,
      distance: 0.2,
      depth: 0.58,
      colour: darken(ground, 0.16),
      light: ground,
      trees: 34,
      treeHeight: 82,
      treeKind: "conifer",
    }),
  ];
}
