import type { Credits } from "../kit/index.ts";
import type { ResolutionTier } from "../media/index.ts";
import { cacheSaved, type Usage } from "./cost.ts";
import { imagesCost, isSquare, musicCost, type PricedVideo, speechCost, videoCost } from "./media-cost.ts";
import type { ImageModel, MusicModel, SpeechModel, TextModel } from "./model.ts";

/**
 * What a price rule was applied to, as a short JSON text stored with the request. Anyone who has the receipt can
 * compute the charge from the rule, the row's tokens and this. It is made from the same value that is priced, so the
 * two cannot differ. For text it holds only what is unusual, so for most calls nothing is stored:
 *
 * - text: `cached_input_tokens`, `cache_write_tokens` and `audio_input_tokens`, which are parts of the row's input, and
 *   `reasoning_tokens`, which is part of its output, each if not zero; `cache_saved`, if tokens were cached or written,
 *   in micro-credits, which may be negative; `n`, the number of answers, if not one
 * - images: `images`, the number of images per tier, such as `{"1k": 2}`; `oblong` if they are not square
 * - video: `duration_ms` and `resolution`; `sound` and `draft` if true; `at_most`, the credits of its estimate, if the
 *   video would have cost more than that
 * - speech: `characters`, in Unicode code points
 * - music: `duration_ms`
 */
export type Priced = { readonly cost: Credits; readonly measured: string };

/** Null, without any work, for a call with one answer and only ordinary input and output tokens. */
export function measuredText(priced: {
  readonly model: TextModel;
  readonly usage: Usage;
  readonly n: number;
}): string | null {
  const { model, usage, n } = priced;
  const { cachedInputTokens, cacheWriteTokens, audioInputTokens = 0, reasoningTokens } = usage;
  const isPlain = cachedInputTokens + cacheWriteTokens + audioInputTokens + reasoningTokens === 0;
  if (isPlain && n === 1) return null;
  return JSON.stringify({
    cached_input_tokens: unlessZero(cachedInputTokens),
    cache_write_tokens: unlessZero(cacheWriteTokens),
    audio_input_tokens: unlessZero(audioInputTokens),
    reasoning_tokens: unlessZero(reasoningTokens),
    cache_saved: cachedInputTokens + cacheWriteTokens === 0 ? undefined : cacheSaved(model, usage),
    n: n === 1 ? undefined : n,
  });
}

/** `JSON.stringify` leaves out undefined values. */
function unlessZero(tokens: number): number | undefined {
  return tokens === 0 ? undefined : tokens;
}

export function pricedImages(input: {
  readonly model: ImageModel;
  readonly made: readonly { readonly tier: ResolutionTier; readonly n: number }[];
  readonly aspectRatio: string;
}): Priced {
  const images: Partial<Record<ResolutionTier, number>> = {};
  for (const { tier, n } of input.made) images[tier] = (images[tier] ?? 0) + n;
  const oblong = isSquare(input.aspectRatio) ? undefined : true;
  return { cost: imagesCost(input), measured: JSON.stringify({ images, oblong }) };
}

/** The cost is capped at `atMost`, whatever was made. */
export function pricedVideo({
  atMost,
  ...input
}: {
  readonly model: PricedVideo;
  readonly durationMs: number;
  readonly resolution: string;
  readonly sound: boolean;
  readonly draft: boolean;
  readonly atMost: Credits;
}): Priced {
  const { durationMs, resolution, sound, draft } = input;
  const cost = videoCost(input);
  const isAboveMost = cost > atMost;
  const measured = JSON.stringify({
    duration_ms: durationMs,
    resolution,
    sound: sound || undefined,
    draft: draft || undefined,
    at_most: isAboveMost ? atMost : undefined,
  });
  return { cost: isAboveMost ? atMost : cost, measured };
}

export function pricedSpeech(input: { readonly model: SpeechModel; readonly characters: number }): Priced {
  return { cost: speechCost(input), measured: JSON.stringify({ characters: input.characters }) };
}

export function pricedMusic(input: { readonly model: MusicModel; readonly durationMs: number }): Priced {
  return { cost: musicCost(input), measured: JSON.stringify({ duration_ms: input.durationMs }) };
}
