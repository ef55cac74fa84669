import { z } from "zod";
import type { Catalog } from "./catalog.ts";
import { TOKEN_DIVISOR } from "./cost.ts";
import { rate } from "./entry-fields.ts";

/** Credits are shown to a hundredth where they were not charged. */
const HUNDREDTHS = 100n;

/**
 * What input tokens that were saved would have cost at the price of each model's input today; a model that the
 * catalog no longer has counts for nothing. Down to a hundredth of a credit: small calls save less than one.
 */
export function creditsSaved(
  catalog: Catalog,
  saved: readonly { readonly model: string; readonly tokens: number }[],
): number {
  let micros = 0n;
  for (const { model: id, tokens } of saved) {
    const model = catalog.models.get(id);
    if (model?.type === "text") micros += BigInt(tokens) * model.price.input;
  }
  return shown(micros);
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
