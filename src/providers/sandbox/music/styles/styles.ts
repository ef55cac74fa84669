import type { StyleName } from "../brief/style-words.ts";
import { AMBIENT } from "./ambient.ts";
import { BOSSA } from "./bossa.ts";
import { CINEMATIC } from "./cinematic.ts";
import { CLASSICAL } from "./classical.ts";
import { FOLK } from "./folk.ts";
import { JAZZ } from "./jazz.ts";
import { LOFI } from "./lofi.ts";
import { POP } from "./pop.ts";
import { ROCK } from "./rock.ts";
import type { StyleRecipe } from "./style-recipe.ts";
import { TECHNO } from "./techno.ts";

export const STYLES: Readonly<Record<StyleName, StyleRecipe>> = {
  ambient: AMBIENT,
  bossa: BOSSA,
  cinematic: CINEMATIC,
  classical: CLASSICAL,
  folk: FOLK,
  jazz: JAZZ,
  lofi: LOFI,
  pop: POP,
  rock: ROCK,
  techno: TECHNO,
};
