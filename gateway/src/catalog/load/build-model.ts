import { credits } from "../../kit/index.ts";
import type { ResolutionTier } from "../../media/index.ts";
import type { DurationLimit, Model, PublishedModel, Target, Visibility } from "../model.ts";
import { priceRule, priceTerms } from "../price-rule.ts";
import type { Rate } from "../rate.ts";
import { textPrice } from "../text-price.ts";
import type { DurationEntry, ModelEntry } from "./entry-schema.ts";

/** A duration may be written as a range or as a list; both become one shape, in milliseconds. */
function durationLimit(entry: DurationEntry): DurationLimit {
  if (!("values" in entry)) {
    return Object.freeze({ minMs: entry.min, maxMs: entry.max, defaultMs: entry.default, valuesMs: null });
  }
  const valuesMs = Object.freeze([...entry.values].sort((a, b) => a - b));
  return Object.freeze({
    minMs: Math.min(...valuesMs),
    maxMs: Math.max(...valuesMs),
    defaultMs: entry.default,
    valuesMs,
  });
}

/** What an organization may see of an entry: no targets, no visibility, nothing about other organizations. */
function publishModel(entry: ModelEntry, provider: string): PublishedModel {
  return Object.freeze({
    id: entry.id,
    name: entry.name,
    type: entry.type,
    provider,
    credits_per_request: entry.credits_per_request,
    description: entry.description ?? null,
    price: Object.freeze(priceTerms(entry)),
    limits: Object.freeze(publishedLimits(entry)),
    capabilities: Object.freeze([...entry.capabilities]),
  });
}

function publishedLimits(entry: ModelEntry): Record<string, unknown> {
  switch (entry.type) {
    case "text":
      return {
        context_tokens: entry.limits.context_tokens,
        max_output_tokens: entry.limits.max_output_tokens,
      };
    case "image":
      return { resolution_tiers: Object.keys(entry.price.units), aspect_ratios: entry.limits.aspect_ratios };
    case "video":
      return {
        duration_seconds: inSeconds(entry.limits.duration_seconds),
        resolutions: Object.keys(entry.price.per_second),
        aspect_ratios: entry.limits.aspect_ratios,
      };
    case "audio":
      return entry.audio_kind === "speech"
        ? { audio_kind: "speech", max_characters: entry.limits.max_characters, voices: entry.limits.voices }
        : {
            audio_kind: "music",
            duration_seconds: inSeconds(entry.limits.duration_seconds),
            styles: entry.limits.styles,
          };
  }
}

function inSeconds(entry: DurationEntry): Record<string, unknown> {
  const limit = durationLimit(entry);
  return {
    min: limit.minMs / 1000,
    max: limit.maxMs / 1000,
    default: limit.defaultMs / 1000,
    ...(limit.valuesMs ? { values: limit.valuesMs.map((ms) => ms / 1000) } : {}),
  };
}

type EntryOf<T extends ModelEntry["type"]> = Extract<ModelEntry, { type: T }>;

/** Properties of providers, looked up by their names. */
type ProviderTraits = {
  /** True if it is configured and can make what the model makes. */
  readonly isServed: (provider: string) => boolean;
  readonly dropsMessages: (provider: string) => boolean;
  readonly thinksBeyondLimit: (provider: string) => boolean;
};

/** Turns a validated entry into the frozen model that the rest of the code uses. */
export function buildModel(entry: ModelEntry, traits: ProviderTraits): Model {
  const { isServed, dropsMessages, thinksBeyondLimit } = traits;
  const targets: readonly Target[] = Object.freeze(
    entry.targets.filter((target) => isServed(target.provider)).map((target) => Object.freeze(target)),
  );
  const provider = (targets[0] ?? entry.targets[0])?.provider ?? "";
  const isManaged = entry.type === "text" && targets.some((target) => dropsMessages(target.provider));
  const capabilities = new Set<string>(entry.capabilities);
  if (isManaged) capabilities.add("context_management");
  const base = {
    id: entry.id,
    name: entry.name,
    description: entry.description ?? null,
    provider,
    targets,
    creditsPerRequest: credits(entry.credits_per_request),
    capabilities: Object.freeze([...capabilities]),
    visibility: buildVisibility(entry),
    source: entry.source ?? null,
    isTest: entry.test,
    priceRule: priceRule(entry),
    published: publishModel(entry, provider),
  };
  const isUnbound = targets.some((target) => thinksBeyondLimit(target.provider));
  return Object.freeze({ ...base, ...ownPart(entry, isUnbound) });
}

function buildVisibility(entry: ModelEntry): Visibility | null {
  if (!entry.visibility) return null;
  return Object.freeze({
    plans: new Set(entry.visibility.plans ?? []),
    organizations: new Set(entry.visibility.organizations ?? []),
  });
}

/**
 * The fields that only models of this type have. `isUnbound`: at one of the targets, reasoning is not bounded by the
 * output limit.
 */
function ownPart(entry: ModelEntry, isUnbound: boolean) {
  switch (entry.type) {
    case "text":
      return textPart(entry, isUnbound);
    case "image":
      return imagePart(entry);
    case "video":
      return videoPart(entry);
    case "audio":
      return audioPart(entry);
  }
}

/** Bounds of one image and of one file for entries that state none; as high as the highest in the default catalog. */
const TOKENS_PER_IMAGE = 16_000;
const MOST_TOKENS_PER_FILE = 250_000;

export function defaultTokensPerFile(contextTokens: number): number {
  return Math.min(Math.floor(contextTokens / 2), MOST_TOKENS_PER_FILE);
}

/** A model that advertises images or files always gets a bound, because no hold could cover them without one. */
function attachmentBounds({ capabilities, limits }: EntryOf<"text">) {
  const perFile = defaultTokensPerFile(limits.context_tokens);
  return {
    tokensPerImage: capabilities.includes("images") ? (limits.tokens_per_image ?? TOKENS_PER_IMAGE) : null,
    tokensPerFile: capabilities.includes("files") ? (limits.tokens_per_file ?? perFile) : null,
  };
}

function textPart(entry: EntryOf<"text">, isUnbound: boolean) {
  const { type, price, limits } = entry;
  const long = price?.long_input;
  return {
    type,
    price: textPrice(price),
    longInput: long ? Object.freeze({ aboveTokens: long.above_tokens, price: textPrice(long) }) : null,
    limits: Object.freeze({
      contextTokens: limits.context_tokens,
      windowTokens: limits.window_tokens ?? limits.context_tokens,
      maxOutputTokens: limits.max_output_tokens,
      maxThoughtTokens: isUnbound && entry.capabilities.includes("reasoning") ? limits.max_output_tokens : 0,
      ...attachmentBounds(entry),
    }),
  };
}

function imagePart({ type, price, limits }: EntryOf<"image">) {
  return {
    type,
    price: Object.freeze({
      units: mapOf<ResolutionTier, number>(price.units),
      perImage: mapOf<ResolutionTier, Rate>(price.per_image),
      perOblongImage: mapOf<ResolutionTier, Rate>(price.per_oblong_image ?? {}),
    }),
    limits: Object.freeze({ aspectRatios: limits.aspect_ratios }),
  };
}

function videoPart({ type, price, limits }: EntryOf<"video">) {
  return {
    type,
    price: Object.freeze({
      perSecond: mapOf<string, Rate>(price.per_second),
      soundBasisPoints: price.sound_basis_points,
      draftBasisPoints: price.draft_basis_points,
    }),
    limits: Object.freeze({
      duration: durationLimit(limits.duration_seconds),
      resolutions: Object.keys(price.per_second),
      aspectRatios: limits.aspect_ratios,
    }),
  };
}

function audioPart(entry: EntryOf<"audio">) {
  if (entry.audio_kind === "speech") {
    const { type, audio_kind: audioKind, price, limits } = entry;
    return {
      type,
      audioKind,
      price: Object.freeze({ perThousandCharacters: price.per_thousand_characters }),
      limits: Object.freeze({ maxCharacters: limits.max_characters, voices: limits.voices }),
    };
  }
  const { type, audio_kind: audioKind, price, limits } = entry;
  return {
    type,
    audioKind,
    price: Object.freeze({ perSecond: price.per_second }),
    limits: Object.freeze({ duration: durationLimit(limits.duration_seconds), styles: limits.styles }),
  };
}

function mapOf<Key extends string, Value>(
  record: Readonly<Partial<Record<Key, Value>>>,
): ReadonlyMap<Key, Value> {
  const pairs = Object.entries(record) as [Key, Value | undefined][];
  return new Map(pairs.filter((pair): pair is [Key, Value] => pair[1] !== undefined));
}
