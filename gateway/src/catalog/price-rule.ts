import { canonicalJson, sha256Hex } from "../kit/index.ts";
import type { ModelEntry } from "./load/entry-schema.ts";
import type { PriceRule } from "./model.ts";
import { type Rate, rateCredits } from "./rate.ts";

/** Increment when the arithmetic itself changes, so that old requests keep naming the old rule. */
const ARITHMETIC_VERSION = 1;

type TextEntry = Extract<ModelEntry, { type: "text" }>;
type PriceTerms = Readonly<Record<string, unknown>>;

/** Every figure the charge depends on, with defaults filled in: published as `price` and stored as the rule. */
export function priceTerms(entry: ModelEntry): PriceTerms {
  return { credits_per_request: entry.credits_per_request, ...meteredTerms(entry) };
}

/** The id is short enough to store with every request and long enough to avoid collisions. */
export function priceRule(entry: ModelEntry): PriceRule {
  const json = canonicalJson({ version: ARITHMETIC_VERSION, type: entry.type, ...priceTerms(entry) });
  return Object.freeze({ id: sha256Hex(json).slice(0, 16), json });
}

function meteredTerms(entry: ModelEntry): PriceTerms {
  switch (entry.type) {
    case "text":
      return entry.price ? textTerms(entry.price) : {};
    case "image":
      return {
        units: entry.price.units,
        per_image: inCredits(entry.price.per_image),
        ...(entry.price.per_oblong_image === undefined
          ? {}
          : { per_oblong_image: inCredits(entry.price.per_oblong_image) }),
      };
    case "video":
      return { ...entry.price, per_second: inCredits(entry.price.per_second) };
    case "audio":
      return inCredits(entry.price);
  }
}

function textTerms({ long_input: long, ...rates }: NonNullable<TextEntry["price"]>): PriceTerms {
  if (long === undefined) return inCredits(rates);
  const { above_tokens, ...longRates } = long;
  return { ...inCredits(rates), long_input: { above_tokens, ...inCredits(longRates) } };
}

function inCredits(rates: Readonly<Record<string, Rate | undefined>>): Record<string, number> {
  const shown: Record<string, number> = {};
  for (const [name, rate] of Object.entries(rates)) if (rate !== undefined) shown[name] = rateCredits(rate);
  return shown;
}
