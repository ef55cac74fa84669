import { z } from "zod";
import type { Catalog } from "./catalog.ts";
import { TOKEN_DIVISOR } from "./cost.ts";
import { rate } from "./entry-fields.ts";

/** Credits are shown to a hundredth where they were not charged. */
const HUNDREDTHS = 100n;

/**
 * The most that input tokens that were saved would have cost, at the price of each model's input today: what its provider
 * would have had in its cache costs less. A model that the catalog no longer has counts for nothing; null where none of
 * the tokens has a price. Down to a hundredth of a credit: small calls save less than one.
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

/** The same by the rule that one call was charged by. */
export function creditsSavedBy(rule: unknown, tokens: number): number {
  const { data } = textRule.safeParse(rule);
  return data ? shown(BigInt(tokens) * data.input_per_million) : 0;
}

function shown(micros: bigint): number {
  return Number((micros * HUNDREDTHS) / TOKEN_DIVISOR) / Number(HUNDREDTHS);
}
