import { z } from "zod";
import { RESOLUTION_TIERS } from "../../media/index.ts";
import { MODEL_TYPES } from "../model.ts";
import { identifier, keyName, line, listOf, oneOf, rate, seconds, wholeNumber } from "./entry-fields.ts";
import { MAX_TOKENS, textPrice } from "./text-price-schema.ts";

/** Schema of a model as written in gateway/catalog/models.yaml or under `models:` in the configuration file. */

const MAX_CREDITS_PER_REQUEST = 1_000_000;

const target = z.strictObject({ provider: keyName, model: line(200) });

const visibility = z.strictObject({
  plans: z.array(keyName).max(100).optional(),
  organizations: z.array(line(100)).max(10_000).optional(),
});

const source = z.strictObject({
  name: line(200),
  date: z
    .string({ error: "must be a date written YYYY-MM-DD" })
    .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { error: "must be a date written YYYY-MM-DD" }),
});

const shared = {
  id: identifier,
  name: line(100),
  description: line(500).optional(),
  targets: listOf(target, 16),
  test: z.boolean({ error: "must be true or false" }).default(false),
  credits_per_request: wholeNumber(0, MAX_CREDITS_PER_REQUEST),
  visibility: visibility.optional(),
  source: source.optional(),
};

function capabilities<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.array(oneOf(values)).max(values.length).default([]);
}

const ratioError = "must be a ratio written W:H, such as 16:9";
const aspectRatios = listOf(
  z.string({ error: ratioError }).regex(/^[1-9]\d{0,2}:[1-9]\d{0,2}$/, { error: ratioError }),
  50,
);

const anyDuration = z
  .strictObject({ min: seconds, max: seconds, default: seconds })
  .refine((entry) => entry.min <= entry.default && entry.default <= entry.max, {
    error: "must have min, default and max in rising order",
  });
const listedDuration = z
  .strictObject({ values: listOf(seconds, 100), default: seconds })
  .refine((entry) => entry.values.includes(entry.default), {
    error: "must have a default that is one of its values",
  });
const duration = z.union([anyDuration, listedDuration], {
  error: "must be {min, max, default} or {values, default}, in seconds",
});

const textFields = z.strictObject({
  ...shared,
  type: z.literal("text"),
  capabilities: capabilities([
    "tools",
    "images",
    "files",
    "reasoning",
    "structured_output",
    "logprobs",
    // The server drops or shortens messages by itself when there are too many.
    "context_management",
  ]),
  price: textPrice.optional(),
  limits: z
    .strictObject({
      context_tokens: wholeNumber(1, MAX_TOKENS),
      window_tokens: wholeNumber(1, MAX_TOKENS).optional(),
      max_output_tokens: wholeNumber(1, MAX_TOKENS),
      tokens_per_image: wholeNumber(0, 1_000_000).optional(),
      tokens_per_file: wholeNumber(0, MAX_TOKENS).optional(),
    })
    .refine((limits) => limits.max_output_tokens <= limits.context_tokens, {
      error: "must not be above context_tokens",
      path: ["max_output_tokens"],
    })
    .refine(({ context_tokens: context, window_tokens: window = context }) => window >= context, {
      error: "must not be below context_tokens",
      path: ["window_tokens"],
    }),
});

/** A bound without its capability is refused: what is not advertised must not be served. */
const text = textFields
  .refine(
    ({ capabilities: has, limits }) => limits.tokens_per_image === undefined || has.includes("images"),
    {
      error: "needs the capability images",
      path: ["limits", "tokens_per_image"],
    },
  )
  .refine(({ capabilities: has, limits }) => limits.tokens_per_file === undefined || has.includes("files"), {
    error: "needs the capability files",
    path: ["limits", "tokens_per_file"],
  });

const tier = oneOf(RESOLUTION_TIERS);

const image = z.strictObject({
  ...shared,
  type: z.literal("image"),
  capabilities: capabilities(["negative_prompt", "reference_images"]),
  price: z
    .strictObject({
      units: z.partialRecord(tier, wholeNumber(1, 1000)),
      per_image: z.partialRecord(tier, rate).default({}),
      // Some providers charge a different rate for images that are not square.
      per_oblong_image: z.partialRecord(tier, rate).optional(),
    })
    .refine((price) => Object.keys(price.units).length > 0, {
      error: "must give at least one tier its units",
      path: ["units"],
    })
    .refine((price) => Object.keys(price.per_image).every((name) => name in price.units), {
      error: "must name only tiers that have units",
      path: ["per_image"],
    })
    .refine((price) => Object.keys(price.per_oblong_image ?? {}).every((name) => name in price.units), {
      error: "must name only tiers that have units",
      path: ["per_oblong_image"],
    }),
  limits: z.strictObject({ aspect_ratios: aspectRatios }),
});

const resolutionError = "must be a resolution such as 720p";
const basisPoints = wholeNumber(1, 100_000);
const NO_SURCHARGE_BASIS_POINTS = 10_000;

const video = z.strictObject({
  ...shared,
  type: z.literal("video"),
  capabilities: capabilities([
    "sound",
    "draft",
    "seed",
    "edit",
    "reference_image",
    "reference_video",
    "reference_audio",
  ]),
  price: z.strictObject({
    per_second: z
      .record(z.string().regex(/^[1-9]\d{0,4}[pk]$/, { error: resolutionError }), rate)
      .refine((prices) => Object.keys(prices).length > 0, { error: "must price at least one resolution" }),
    sound_basis_points: basisPoints.default(NO_SURCHARGE_BASIS_POINTS),
    draft_basis_points: basisPoints.default(NO_SURCHARGE_BASIS_POINTS),
  }),
  limits: z.strictObject({ duration_seconds: duration, aspect_ratios: aspectRatios }),
});

const audioShared = {
  ...shared,
  type: z.literal("audio"),
  capabilities: capabilities(["speed", "speakers", "reference_images"]),
};

const speech = z.strictObject({
  ...audioShared,
  audio_kind: z.literal("speech"),
  price: z.strictObject({ per_thousand_characters: rate }),
  limits: z.strictObject({ max_characters: wholeNumber(1, 1_000_000), voices: listOf(line(100), 500) }),
});

const music = z.strictObject({
  ...audioShared,
  audio_kind: z.literal("music"),
  price: z.strictObject({ per_second: rate }),
  limits: z.strictObject({ duration_seconds: duration, styles: listOf(line(100), 200) }),
});

const audio = z.discriminatedUnion("audio_kind", [speech, music], { error: "must be one of speech, music" });

/** The fields that every model has; others are ignored. */
export const everyModel = z.object(shared);

const kinds = [text, image, video, speech, music].map(({ shape }) =>
  z.object("audio_kind" in shape ? { type: shape.type, audio_kind: shape.audio_kind } : { type: shape.type }),
);

export function isOfKnownType(given: object): boolean {
  return kinds.some((kind) => kind.safeParse(given).success);
}

export const modelEntry = z.discriminatedUnion("type", [text, image, video, audio], {
  error: `must be one of ${MODEL_TYPES.join(", ")}`,
});

export type ModelEntry = z.output<typeof modelEntry>;
export type DurationEntry = z.output<typeof duration>;
