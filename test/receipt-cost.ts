/** What a receipt says of a request: the price rule, the tokens, and the other quantities measured. */
type ReceiptFigures = {
  readonly rule: unknown;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly measured: unknown;
};

type Terms = Readonly<Record<string, unknown>>;
type Figures = Readonly<Record<string, number>>;

/**
 * The cost in whole credits, computed only from what a receipt says. An independent check of the prices: it shares no
 * code with what charges.
 */
export function costByReceipt({ rule, inputTokens, outputTokens, measured }: ReceiptFigures): number {
  const terms = rule as Terms;
  const found = (measured ?? {}) as Terms;
  const tokens = { inputTokens, outputTokens };
  const [units, metered] = {
    text: () => textCost(terms, tokens, found as Figures),
    image: () => imageCost(terms, found),
    video: () => videoCost(terms, found),
    audio: () => audioCost(terms as Figures, found as Figures),
  }[String(terms["type"]) as "text" | "image" | "video" | "audio"]();
  const cost = Math.max(units * Number(terms["credits_per_request"]), metered);
  return Math.min(cost, Number(found["at_most"] ?? Number.POSITIVE_INFINITY));
}

/** `units`: how many times `credits_per_request` applies. `metered`: the credits for everything that is metered. */
type Cost = readonly [units: number, metered: number];

function textCost(
  terms: Terms,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  measured: Figures,
): Cost {
  const long = terms["long_input"] as Figures | undefined;
  const rates = long !== undefined && inputTokens > (long["above_tokens"] ?? 0) ? long : (terms as Figures);
  const {
    cached_input_tokens: cached = 0,
    cache_write_tokens: written = 0,
    audio_input_tokens: spoken = 0,
    reasoning_tokens: thought = 0,
    n = 1,
  } = measured;
  const input = rates["input_per_million"];
  const micros =
    BigInt(inputTokens - cached - written - spoken) * microsOf(input) +
    BigInt(cached) * microsOf(rates["cached_input_per_million"]) +
    BigInt(written) * microsOf(rates["cache_write_per_million"]) +
    BigInt(spoken) * microsOf(rates["audio_input_per_million"] ?? input) +
    BigInt(outputTokens - thought) * microsOf(rates["output_per_million"]) +
    BigInt(thought) * microsOf(rates["reasoning_per_million"]);
  return [n, roundedUp(micros, 1_000_000n)];
}

function imageCost(terms: Terms, { images, oblong }: Terms): Cost {
  const of = (name: string, tier: string) => (terms[name] as Figures | undefined)?.[tier];
  let [units, micros] = [0, 0n];
  for (const [tier, count] of Object.entries(images as Figures)) {
    const rate = (oblong === true ? of("per_oblong_image", tier) : undefined) ?? of("per_image", tier);
    units += count * (of("units", tier) ?? Number.NaN);
    micros += BigInt(count) * microsOf(rate);
  }
  return [units, roundedUp(micros, 1n)];
}

const WHOLE = 10_000;

function videoCost(terms: Terms, { duration_ms: ms, resolution, sound, draft }: Terms): Cost {
  const rate = (terms["per_second"] as Figures)[String(resolution)];
  const share = (name: string, has: unknown) => BigInt(has === true ? Number(terms[name]) : WHOLE);
  const shares = share("sound_basis_points", sound) * share("draft_basis_points", draft);
  return [1, roundedUp(BigInt(Number(ms)) * microsOf(rate) * shares, 1_000n * BigInt(WHOLE * WHOLE))];
}

function audioCost(terms: Figures, { duration_ms: ms, characters }: Figures): Cost {
  const rate = ms === undefined ? terms["per_thousand_characters"] : terms["per_second"];
  return [1, roundedUp(BigInt(ms ?? characters ?? Number.NaN) * microsOf(rate), 1_000n)];
}

/** Rates have at most six decimals. */
function microsOf(rate = 0): bigint {
  return BigInt(Math.round(rate * 1e6));
}

/** `per`: the number of units that the rate is for. */
function roundedUp(micros: bigint, per: bigint): number {
  const divisor = 1_000_000n * per;
  return Number(micros / divisor) + (micros % divisor > 0n ? 1 : 0);
}
