import { z } from "zod";
import type { Catalog } from "./catalog.ts";
import { TOKEN_DIVISOR } from "./cost.ts";
import { rate } from "./load/entry-fields.ts";

/** Credits that were not charged are shown to a hundredth. */
const HUNDREDTHS = 100n;

/**
 * Upper bound of what the saved input tokens would have cost at each model's current input price; tokens from the
 * provider's cache would have cost less. Models that are no longer in the catalog are ignored; null if none of the
 * tokens has a price. Rounded down to a hundredth of a credit, since small calls save less than one credit.
 */
export function creditsSaved(
  catalog: Catalog,
  saved: readonly { readonly model: string; readonly tokens: number }[],
): number | null {
  let micros = 0n;
  let hasPrice = false;
  for (const { model: id, tokens } of saved) {
    const model = catalog.models.get(id);
    if (model?.type !== "text") continue;
    micros += BigInt(tokens) * model.price.input;
    hasPrice = true;
  }
  return hasPrice || saved.length === 0 ? shown(micros) : null;
}

const textRule = z.object({ type: z.literal("text"), input_per_million: rate });

/** The same, by the rule that one call was charged by. */
export function creditsSavedBy(rule: unknown, tokens: number): number {
  const { data } = textRule.safeParse(rule);
  return data ? shown(BigInt(tokens) * data.input_per_million) : 0;
}

function shown(micros: bigint): number {
  return Number((micros * HUNDREDTHS) / TOKEN_DIVISOR) / Number(HUNDREDTHS);
}
