import type { Random } from "../random.ts";
import type { StyleRecipe } from "./styles/style-recipe.ts";

/** Delays the second half of each unit, for a swing feel; the unit itself keeps its length. */
export function swingBeat(
  beat: number,
  { swing, swingUnit }: Pick<StyleRecipe, "swing" | "swingUnit">,
): number {
  if (swing === 0) return beat;
  const unit = Math.floor(beat / swingUnit + 1e-6);
  const part = Math.max(0, beat / swingUnit - unit);
  const half = 0.5 + swing;
  const bent = part < 0.5 ? (part / 0.5) * half : half + ((part - 0.5) / 0.5) * (1 - half);
  return (unit + bent) * swingUnit;
}

/** Roughly normally distributed, never beyond twice `size`. */
export function spread(random: Random, size: number): number {
  return (random() + random() + random() - 1.5) * size * (4 / 3);
}
