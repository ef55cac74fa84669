import type { Credits, ResolutionTier } from "../kit/index.ts";
import type { Rate } from "./rate.ts";

export const MODEL_TYPES = ["text", "image", "video", "audio"] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

/** The provider that is us: never mixed with others, never what an alias falls to. */
export const SANDBOX_PROVIDER = "sandbox";

/** One way to reach a model: the provider's name and what the provider calls the model. */
export type Target = { readonly provider: string; readonly model: string };

/** Null lets everyone see it; otherwise a plan or an organization (id or slug) must be named. */
export type Visibility = {
  readonly plans: ReadonlySet<string>;
  readonly organizations: ReadonlySet<string>;
};

/** What the charge follows, as one canonical JSON; stored with each request by its id, so nothing is re-priced. */
export type PriceRule = { readonly id: string; readonly json: string };

/** Where a price was read, and when. */
type PriceSource = { readonly name: string; readonly date: string };

type ModelBase = {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** The provider of the first configured target, or of the first target when none is configured. */
  readonly provider: string;
  /** Configured targets only, in the order in which they are tried. Empty: the model is not listed. */
  readonly targets: readonly Target[];
  readonly creditsPerRequest: Credits;
  readonly capabilities: readonly string[];
  readonly visibility: Visibility | null;
  readonly source: PriceSource | null;
  readonly priceRule: PriceRule;
  /** The entry in the words of the wire, aliases aside: they differ from organization to organization. */
  readonly published: PublishedModel;
};

/** Rates per million tokens. Cached, cache-write and spoken tokens are part of the input, reasoning part of the output. */
export type TextPrice = {
  readonly input: Rate;
  readonly cachedInput: Rate;
  readonly cacheWrite: Rate;
  readonly audioInput: Rate;
  readonly output: Rate;
  readonly reasoning: Rate;
};

/** The same rates as numbers, all of them safe: for sums that stay safe, too, which nearly all do. */
type SafeTextPrice = Readonly<
  Record<keyof TextPrice | "dearestInput" | "dearestAudio" | "dearestOutput", number>
>;

/** What tokens cost, in both forms. */
export type PricedTokens = { readonly price: TextPrice; readonly safePrice: SafeTextPrice };

type TextLimits = {
  /** What callers may send. */
  readonly contextTokens: number;
  /** What the model's server takes: as much of it may come of images and files. More is not believed. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** What it may think beside an answer of any limit; 0 where the limit is of both, as it is at most servers. */
  readonly maxThoughtTokens: number;
  /** Input bound of one image or file in a message; null where the model takes none. */
  readonly tokensPerImage: number | null;
  readonly tokensPerFile: number | null;
};

export type TextModel = ModelBase &
  PricedTokens & {
    readonly type: "text";
    /** Rates of every token of a call whose input is longer than this; none is below the plain one. */
    readonly longInput: (PricedTokens & { readonly aboveTokens: number }) | null;
    readonly limits: TextLimits;
  };

type ImagePrice = {
  /** Units of `creditsPerRequest` that one image of a tier counts as; a tier that is absent is not made. */
  readonly units: ReadonlyMap<ResolutionTier, number>;
  readonly perImage: ReadonlyMap<ResolutionTier, Rate>;
  /** Of pictures that are not square; a tier that is absent costs the same in every shape. */
  readonly perOblongImage: ReadonlyMap<ResolutionTier, Rate>;
};

export type ImageModel = ModelBase & {
  readonly type: "image";
  readonly price: ImagePrice;
  readonly limits: { readonly aspectRatios: readonly string[] };
};

/** Either any length between two bounds or one of a list; the default is always allowed. */
export type DurationLimit = {
  readonly minMs: number;
  readonly maxMs: number;
  readonly defaultMs: number;
  readonly valuesMs: readonly number[] | null;
};

type VideoPrice = {
  /** Per second by resolution. */
  readonly perSecond: ReadonlyMap<string, Rate>;
  /** 12,500 is a quarter more, 5,000 is half. */
  readonly soundBasisPoints: number;
  readonly draftBasisPoints: number;
};

export type VideoModel = ModelBase & {
  readonly type: "video";
  readonly price: VideoPrice;
  readonly limits: {
    readonly duration: DurationLimit;
    /** In the order of the entry; the first is the default. */
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
