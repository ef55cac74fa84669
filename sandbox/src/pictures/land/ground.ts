import type { Layer } from "../stage/stage.ts";

/** The land of a setting, and where figures are placed in it. */
export type Ground = {
  /** Layers behind the figures. */
  readonly behind: readonly Layer[];
  /** Layers in front of them: grass, leaves, a rim of dunes. */
  readonly front: readonly Layer[];
  /** Height of feet or keels. */
  readonly footing: number;
  /** What carries the figures; those that fly or swim choose their own height. */
  readonly surface: "land" | "water" | "none";
};
