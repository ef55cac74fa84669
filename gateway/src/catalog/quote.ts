import { assert, type Credits } from "../kit/index.ts";
import { atLeastPerRequest, count, MAX_CHOICES, TOKEN_DIVISOR } from "./cost.ts";
import type { TextModel, TextPrice } from "./model.ts";
import { ceilDivide } from "./rate.ts";
import { highestAudio, highestInput, highestOutput, ratesFor } from "./text-price.ts";

/** Output that must be affordable if the caller set no limit: with less, nearly every answer would be cut short. */
const LEAST_OUTPUT_TOKENS = 256;

/** Wire overhead of a message: role, separators, tool call ids. */
const TOKENS_PER_MESSAGE = 16;

/** The same if the caller set a limit that may be lowered: with less, an agent cannot do its work. */
const LEAST_LOWERED_TOKENS = 1024;

/** The hold is at least `minimum` and at most `full`. They differ only if the output limit is ours to choose. */
type TextQuote = {
  readonly minimum: Credits;
  readonly full: Credits;
  /** True if the caller set no limit: the hold leaves most of a small balance to other calls. */
  readonly sharesBalance: boolean;
};

type TextBounds = {
  readonly model: TextModel;
  readonly inputBoundTokens: number;
  /** How many of these may be audio. */
  readonly audioBoundTokens: number;
  readonly n: number;
};

/**
 * 1.2 × the estimate plus a fixed amount per message, image and file. Usage within this bound never costs more than its
 * quote.
 */
export function inputBoundTokens(input: {
  readonly model: TextModel;
  readonly estimateTokens: number;
  readonly messages: number;
  readonly images: number;
  readonly files: number;
}): number {
  const { tokensPerImage, tokensPerFile } = input.model.limits;
  const { images, files } = input;
  assert(images === 0 || tokensPerImage !== null, "a model without a bound per image was sent one");
  assert(files === 0 || tokensPerFile !== null, "a model without a bound per file was sent one");
  return (
    Math.ceil((Math.ceil(input.estimateTokens) * 6) / 5) +
    TOKENS_PER_MESSAGE * input.messages +
    images * (tokensPerImage ?? 0) +
    files * (tokensPerFile ?? 0)
  );
}

/** `thoughtTokens`: reasoning allowed beyond the output limit. */
export function textQuote(
  input: TextBounds & {
    readonly maxOutputTokens: number | null;
    readonly lowersLimit?: boolean;
    readonly thoughtTokens: number;
  },
): TextQuote {
  const limit = input.model.limits.maxOutputTokens;
  const sharesBalance = input.maxOutputTokens === null;
  const asked = input.maxOutputTokens ?? limit;
  assert(asked <= limit, "more output than the model has");
  const full = quoteFor(input, asked + input.thoughtTokens);
  const least = sharesBalance ? LEAST_OUTPUT_TOKENS : LEAST_LOWERED_TOKENS;
  const minimum =
    sharesBalance || input.lowersLimit === true ? quoteFor(input, Math.min(least, asked)) : full;
  return { minimum, full, sharesBalance };
}

/**
 * The largest output limit whose quote the granted credits cover, capped at `most` or else at the model's own limit; 0
 * if they do not even cover the input. The result becomes the limit sent upstream.
 */
export function outputTokensFor(
  input: TextBounds & { readonly granted: Credits; readonly most?: number },
): number {
  const { model, granted } = input;
  const limit = input.most ?? model.limits.maxOutputTokens;
  if (quoteFor(input, 0) > granted) return 0;
  return Math.min(affordableTokens(input), limit);
}

/** Rounded down: one more token would cost more than was granted. */
function affordableTokens(input: TextBounds & { readonly granted: Credits }): number {
  const price = ratesFor(input.model, input.inputBoundTokens);
  const perToken = highestOutput(price) * BigInt(input.n);
  if (perToken === 0n) return Number.MAX_SAFE_INTEGER;
  return Number((BigInt(input.granted) * TOKEN_DIVISOR - inputMicros(input, price)) / perToken);
}

/**
 * The same arithmetic as for the cost, with every token at the highest rate it could have: long-input rates if the
 * bound exceeds their threshold, the audio rate for tokens that may be audio.
 */
function quoteFor(input: TextBounds, outputTokens: number): Credits {
  const { model, n } = input;
  assert(Number.isInteger(n) && n >= 1 && n <= MAX_CHOICES, "not a number of answers");
  const price = ratesFor(model, input.inputBoundTokens);
  const micros = inputMicros(input, price) + count(outputTokens) * BigInt(n) * highestOutput(price);
  return atLeastPerRequest(model, n, ceilDivide(micros, TOKEN_DIVISOR));
}

function inputMicros(
  { inputBoundTokens: inputTokens, audioBoundTokens: audio }: TextBounds,
  price: TextPrice,
): bigint {
  return count(inputTokens - audio) * highestInput(price) + count(audio) * highestAudio(price);
}
