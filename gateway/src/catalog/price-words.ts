import { z } from "zod";
import { credits, number } from "./figure-words.ts";

/** The terms of a price as published and as stored with each request. Fields added by later versions are ignored. */
const figure = z.number().nonnegative();
const perTier = z.record(z.string(), figure);
const atLeast = { credits_per_request: figure };
const perMillion = {
  input_per_million: figure.optional(),
  output_per_million: figure.optional(),
  cached_input_per_million: figure.optional(),
  cache_write_per_million: figure.optional(),
  audio_input_per_million: figure.optional(),
  reasoning_per_million: figure.optional(),
};
const longInput = z.object({ above_tokens: figure, ...perMillion });
const terms = z.union([
  z.object({ ...atLeast, type: z.literal("text"), ...perMillion, long_input: longInput.optional() }),
  z.object({
    ...atLeast,
    type: z.literal("image"),
    units: perTier,
    per_image: perTier.default({}),
    per_oblong_image: perTier.default({}),
  }),
  z.object({
    ...atLeast,
    type: z.literal("video"),
    per_second: perTier,
    sound_basis_points: figure.optional(),
    draft_basis_points: figure.optional(),
  }),
  z.object({ ...atLeast, type: z.literal("audio"), per_thousand_characters: figure }),
  z.object({ ...atLeast, type: z.literal("audio"), per_second: figure }),
]);
type Terms = z.output<typeof terms>;
type TokenTerms = Omit<z.output<typeof longInput>, "above_tokens">;
type TermsOf<Type extends Terms["type"]> = Extract<Terms, { type: Type }>;

/**
 * A price in words, from what is published about a model or from the rule stored with a request. Null if not
 * understood.
 */
export function priceWords(rule: unknown): string | null {
  const parsed = terms.safeParse(rule);
  return parsed.success ? wordsOf(parsed.data) : null;
}

function wordsOf(price: Terms): string {
  switch (price.type) {
    case "text":
      return textWords(price);
    case "image":
      return imageWords(price);
    case "video":
      return videoWords(price);
    case "audio":
      return audioWords(price);
  }
}

function textWords(price: TermsOf<"text">): string {
  const { input_per_million: input, output_per_million: output, credits_per_request: least } = price;
  if (input === undefined && output === undefined) return `${credits(least)} per answer`;
  const [unit, long] = [`${credits(input ?? 0)} per million tokens in`, price.long_input];
  const words = [
    `${unit}, ${outWords(price)}`,
    ...(long === undefined
      ? []
      : [
          `of calls with more than ${number(long.above_tokens)} tokens in, ${number(long.input_per_million ?? 0)} in, ${outWords(long)}`,
        ]),
  ];
  return `${words.join("; ")}${leastWords(least, "answer")}`;
}

/** Everything but the input rate, and only rates that differ from it or from the output rate. */
function outWords(price: TokenTerms): string {
  const { input_per_million: input, output_per_million: output } = price;
  const also = [
    others("cached input", price.cached_input_per_million, input),
    others("cache writes", price.cache_write_per_million, input),
    others("spoken input", price.audio_input_per_million, input),
    others("reasoning", price.reasoning_per_million, output),
  ].filter((word) => word !== null);
  return [`${number(output ?? 0)} out`, ...also].join(", ");
}

/** The full price of one image: its units, or the metered price if that is more. */
function imageWords(price: TermsOf<"image">): string {
  const { units, per_image: square, per_oblong_image: oblong, credits_per_request: each } = price;
  const tiers = Object.entries(units).map(([tier, count]) => {
    const flat = each * count;
    const whole = Math.max(flat, square[tier] ?? 0);
    const other = Math.max(flat, oblong[tier] ?? square[tier] ?? 0);
    return { tier, whole, other };
  });
  const [first, ...rest] = tiers;
  if (!first) return `${credits(each)} per image`;
  const oblongs = tiers.filter(({ whole, other }) => other !== whole);
  return [
    `${credits(first.whole)} per image at ${first.tier}`,
    ...rest.map(({ tier, whole }) => `${number(whole)} at ${tier}`),
    ...oblongs.map(({ tier, other }) => `${number(other)} at ${tier} when not square`),
  ].join(", ");
}

function videoWords(price: TermsOf<"video">): string {
  const [first, ...rest] = Object.entries(price.per_second);
  const main = first ? [`${credits(first[1])} per second at ${first[0]}`] : [];
  const words = [
    ...main,
    ...rest.map(([resolution, rate]) => `${number(rate)} at ${resolution}`),
    ...shareWords(price.sound_basis_points, "with sound"),
    ...shareWords(price.draft_basis_points, "as a draft"),
  ].join(", ");
  return `${words}${leastWords(price.credits_per_request, "video")}`;
}

function audioWords(price: TermsOf<"audio">): string {
  const each = price.credits_per_request;
  const [rate, unit] =
    "per_second" in price
      ? [price.per_second, "second"]
      : [price.per_thousand_characters, "1,000 characters"];
  if (rate === 0 && each > 0) return `${credits(each)} per request`;
  return `${credits(rate)} per ${unit}${leastWords(each, "request")}`;
}

const FULL_BASIS_POINTS = 10_000;

function shareWords(basisPoints: number | undefined, when: string): string[] {
  if (basisPoints === undefined || basisPoints === FULL_BASIS_POINTS) return [];
  const percent = number(Math.abs(basisPoints - FULL_BASIS_POINTS) / 100);
  return [`${percent}% ${basisPoints > FULL_BASIS_POINTS ? "more" : "less"} ${when}`];
}

function others(name: string, rate: number | undefined, usual: number | undefined): string | null {
  return rate === undefined || rate === usual ? null : `${number(rate)} for ${name}`;
}

function leastWords(least: number, each: string): string {
  return least === 0 ? "" : `; at least ${credits(least)} per ${each}`;
}
