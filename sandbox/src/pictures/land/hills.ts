import { darken, mix, type Rgb } from "../colour.ts";
import { ellipse, fall, flat, ground, heightAt, type Point, wave } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";
import { paintTree, type Tree, treeLots } from "./trees.ts";

type HillShape = {
  readonly name: string;
  readonly y: number;
  readonly height: number;
  readonly length: number;
  readonly distance: number;
  readonly depth: number;
  readonly colour: Rgb;
  readonly light: Rgb;
  /** Trees per 1000 units of the crest. */
  readonly trees?: number;
  readonly treeHeight?: number;
  readonly treeKind?: Tree["kind"] | "mixed";
};

/** A rolling hill with trees along its crest. */
export function hillLayer(stage: Stage, shape: HillShape): Layer {
  const lots = stage.random(shape.name);
  const crest = wave(lots, { width: stage.width, y: shape.y, height: shape.height, length: shape.length });
  const body = ground(crest, stage.height + 40);
  const trees = treesOn(stage, shape, crest);
  const top = stage.seen(shape.light, shape.distance);
  const low = stage.seen(darken(shape.colour, 0.16), shape.distance * 0.8);
  return {
    depth: shape.depth,
    isMoving: false,
    paint(pen) {
      for (const tree of trees) if (tree.y <= heightAt(crest, tree.x)) paintTree(pen, tree);
      pen.fill(body, fall(top, low, shape.y - shape.height, shape.y + 300));
      for (const tree of trees) {
        if (tree.y <= heightAt(crest, tree.x)) continue;
        pen.soft(() =>
          pen.fill(
            ellipse(tree.x - tree.lit * tree.height * 0.16, tree.y, tree.height * 0.3, tree.height * 0.05),
            flat(darken(low, 0.3), 0.35),
          ),
        );
        paintTree(pen, tree);
      }
    },
  };
}

function treesOn(stage: Stage, shape: HillShape, crest: readonly Point[]): Tree[] {
  if (!shape.trees || stage.refuses("trees")) return [];
  const lots = stage.random(`${shape.name} trees`);
  const { land, brief } = stage;
  const amount = shape.trees * (stage.wants("trees") ? 1.7 : 1);
  const count = Math.round((stage.width / 1000) * amount);
  const usual = shape.treeHeight ?? 70;
  const trees = Array.from({ length: count }, (): Tree => {
    const x = lots() * stage.width;
    const kind = chooseKind(shape.treeKind ?? "mixed", lots());
    const leaf = kind === "conifer" ? land.conifer : mix(land.leaf, land.leafLight, lots() * 0.6);
    return {
      kind,
      x,
      y: heightAt(crest, x) + 4 + lots() ** 1.6 * usual * 1.2,
      height: usual * (0.7 + lots() * 0.6) * (kind === "conifer" ? 1.2 : 1),
      leaf: stage.seen(leaf, shape.distance),
      trunk: stage.seen(land.wood, shape.distance),
      hasSnow: brief.season === "winter",
      lit: stage.orb.x < x ? -1 : 1,
      lots: treeLots(lots),
    };
  });
  return trees.sort((one, other) => one.y - other.y);
}

function chooseKind(kind: Tree["kind"] | "mixed", lot: number): Tree["kind"] {
  if (kind !== "mixed") return kind;
  return lot < 0.5 ? "round" : "conifer";
}
