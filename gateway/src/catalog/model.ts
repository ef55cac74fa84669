import type { Credits } from "../kit/index.ts";
import type { ResolutionTier } from "../media/index.ts";
import type { Rate } from "./rate.ts";

export const MODEL_TYPES = ["text", "image", "video", "audio"] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

/** One way to reach a model: the provider's name, and the provider's own name for the model. */
export type Target = { readonly provider: string; readonly model: string };

/** Null lets everyone see the model; otherwise only the plans and organizations (id or slug) listed. */
export type Visibility = {
  readonly plans: ReadonlySet<string>;
  readonly organizations: ReadonlySet<string>;
};

/**
 * Everything the charge depends on, as canonical JSON. Requests store its id, so a later price change does not affect
 * them.
 */
export type PriceRule = { readonly id: string; readonly json: string };

/** Where and when a price was looked up. */
type PriceSource = { readonly name: string; readonly date: string };

type ModelBase = {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The provider of the first configured target, or of the first target when none is configured. */
  readonly provider: string;
  /** Configured targets only, in the order in which they are tried. If empty, the model is not listed. */
  readonly targets: readonly Target[];
  readonly creditsPerRequest: Credits;
  readonly capabilities: readonly string[];
  readonly visibility: Visibility | null;
  readonly source: PriceSource | null;
  /** Made for tests: its failures are asked for, and no alias falls back to it from a model that is none. */
  readonly isTest: boolean;
  readonly priceRule: PriceRule;
  /** The entry as the API shows it, without aliases: these differ between organizations. */
  readonly published: PublishedModel;
};

/**
 * Rates per million tokens. Cached, cache-write and audio tokens are part of the input, reasoning tokens part of the
 * output.
 */
export type TextPrice = {
  readonly input: Rate;
  readonly cachedInput: Rate;
  readonly cacheWrite: Rate;
  readonly audioInput: Rate;
  readonly output: Rate;
  readonly reasoning: Rate;
};

type TextLimits = {
  /** Most input that callers may send, not counting attachments. */
  readonly contextTokens: number;
  /**
   * Most input that the model's server accepts, images and files included. Reported usage above this is not believed.
   */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** Reasoning tokens allowed on top of the output limit; 0 if that limit covers both, as it does at most servers. */
  readonly maxThoughtTokens: number;
  /** Upper bound of the input tokens of one image or file; null if the model does not accept them. */
  readonly tokensPerImage: number | null;
  readonly tokensPerFile: number | null;
};

export type TextModel = ModelBase & {
  readonly type: "text";
  readonly price: TextPrice;
  /** Rates for all tokens of a call whose input is longer than `aboveTokens`; none is below the normal rate. */
  readonly longInput: { readonly price: TextPrice; readonly aboveTokens: number } | null;
  readonly limits: TextLimits;
};

type ImagePrice = {
  /** How many units of `creditsPerRequest` one image of a tier counts as; tiers not listed are not offered. */
  readonly units: ReadonlyMap<ResolutionTier, number>;
  readonly perImage: ReadonlyMap<ResolutionTier, Rate>;
  /** Rates for images that are not square; tiers not listed cost the same in every shape. */
  readonly perOblongImage: ReadonlyMap<ResolutionTier, Rate>;
};

export type ImageModel = ModelBase & {
  readonly type: "image";
  readonly price: ImagePrice;
  readonly limits: { readonly aspectRatios: readonly string[] };
};

/** Either any duration between two bounds or one of a list; the default is always allowed. */
export type DurationLimit = {
  readonly minMs: number;
  readonly maxMs: number;
  readonly defaultMs: number;
  readonly valuesMs: readonly number[] | null;
};

type VideoPrice = {
  /** Per second by resolution. */
  readonly perSecond: ReadonlyMap<string, Rate>;
  /** 12,500 adds a quarter; 5,000 is half the price. */
  readonly soundBasisPoints: number;
  readonly draftBasisPoints: number;
};

export type VideoModel = ModelBase & {
  readonly type: "video";
  readonly price: VideoPrice;
  readonly limits: {
    readonly duration: DurationLimit;
    /** In the order of the catalog entry; the first is the default. */
    readonly resolutions: readonly string[];
    readonly aspectRatios: readonly string[];
  };
};

export type SpeechModel = ModelBase & {
  readonly type: "audio";
  readonly audioKind: "speech";
  readonly price: { readonly perThousandCharacters: Rate };
  readonly limits: { readonly maxCharacters: number; readonly voices: readonly string[] };
};

export type MusicModel = ModelBase & {
  readonly type: "audio";
  readonly audioKind: "music";
  readonly price: { readonly perSecond: Rate };
  readonly limits: { readonly duration: DurationLimit; readonly styles: readonly string[] };
};

export type AudioModel = SpeechModel | MusicModel;
export type Model = TextModel | ImageModel | VideoModel | AudioModel;
export type ModelOfType<T extends ModelType> = Extract<Model, { type: T }>;

export type PublishedModel = {
  readonly id: string;
  readonly name: string;
  readonly type: ModelType;
  readonly provider: string;
  readonly credits_per_request: number;
  readonly description: string | null;
  readonly price: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly capabilities: readonly string[];
};
