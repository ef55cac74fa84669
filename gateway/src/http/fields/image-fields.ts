import { z } from "zod";
import { RESOLUTION_TIERS } from "../../media/index.ts";
import type { AskedImage } from "./image-options.ts";
import { charactersOf, MAX_PROMPT_CHARACTERS } from "./media-fields.ts";

const RATIO_ACCEPTS = "must be a ratio written W:H, such as 16:9";
const NEGATIVE_ACCEPTS = `must be text of at most ${MAX_PROMPT_CHARACTERS.toLocaleString("en")} characters`;

/** Both interfaces use the same names for these. */
export const imageOptionFields = {
  negative_prompt: z
    .string({ error: NEGATIVE_ACCEPTS })
    .refine((text) => charactersOf(text) <= MAX_PROMPT_CHARACTERS, { error: NEGATIVE_ACCEPTS })
    .meta({ maxLength: MAX_PROMPT_CHARACTERS })
    .nullish()
    .describe("What should not be in the image. Only for models with the capability negative_prompt."),
  aspect_ratio: z
    .string({ error: RATIO_ACCEPTS })
    .regex(/^[1-9]\d{0,2}:[1-9]\d{0,2}$/, { error: RATIO_ACCEPTS })
    .nullish()
    .describe("One of the model's aspect_ratios; 1:1 if absent."),
  resolution_tier: z
    .enum(RESOLUTION_TIERS, { error: `must be one of ${RESOLUTION_TIERS.join(", ")}` })
    .nullish()
    .describe("One of the model's resolution_tiers; 1k if absent. The price depends on it."),
};

export function askedImage(fields: z.output<z.ZodObject<typeof imageOptionFields>>): AskedImage {
  return {
    negativePrompt: fields.negative_prompt || null,
    aspectRatio: fields.aspect_ratio ?? null,
    tier: fields.resolution_tier ?? null,
  };
}
