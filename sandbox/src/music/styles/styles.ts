import { AMBIENT } from "./ambient.ts";
import { CLASSICAL } from "./classical.ts";
import { POP } from "./pop.ts";
import type { StyleRecipe } from "./style-recipe.ts";
import type { StyleName } from "./style-words.ts";

export const STYLES: Readonly<Record<StyleName, StyleRecipe>> = {
  ambient: AMBIENT,
  classical: CLASSICAL,
  pop: POP,
};
