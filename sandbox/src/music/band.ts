import { pickOne, type Random } from "../random.ts";
import type { PartRecipe, StyleRecipe } from "./styles/style-recipe.ts";

/** A part of the style with the instrument that plays it here. */
export type Player = { readonly recipe: PartRecipe; readonly program: number };

export function formBand({ parts }: StyleRecipe, random: Random): Player[] {
  return parts.map((recipe) => ({ recipe, program: pickOne(random, recipe.programs) }));
}
