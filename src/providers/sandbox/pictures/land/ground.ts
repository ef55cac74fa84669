import type { Layer } from "../stage/stage.ts";

/** The land of a setting, and where figures have their place in it. */
export type Ground = {
  /** Behind the figures. */
  readonly behind: readonly Layer[];
  /** In front of them: grass, leaves, a rim of dunes. */
  readonly front: readonly Layer[];
  /** Where feet or keels are. */
  readonly footing: number;
  /** What carries the figures; those that fly or swim find their own height. */
  readonly surface: "land" | "water" | "none" | "table";
};
