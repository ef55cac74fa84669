import { z } from "zod";
import { VIDEO_TASKS } from "../../contract/index.ts";
import { charactersOf, MAX_PROMPT_CHARACTERS } from "../fields/media-fields.ts";
import { modelField } from "../fields/model-id.ts";
import { paymentShape } from "../fields/paid-fields.ts";

const PROMPT_ACCEPTS = `must be text of at most ${MAX_PROMPT_CHARACTERS.toLocaleString("en")} characters`;
const MAX_SEED = 2 ** 32 - 1;
const SEED_ACCEPTS = `must be a whole number from 0 to ${MAX_SEED}`;
const MAX_WORD_CHARACTERS = 50;

const flag = (what: string) => z.boolean({ error: "must be true or false" }).nullish().describe(what);

const word = (accepts: string, what: string) =>
  z.string({ error: accepts }).max(MAX_WORD_CHARACTERS, { error: accepts }).nullish().describe(what);

/** Checked by `decodeReference`: a schema that scanned tens of megabytes would only cost time. */
const reference = (what: string) =>
  z
    .string({ error: "must be a string in base64 or a data URI" })
    .nullish()
    .describe(`${what}, base64 or a data URI, at most 25 MiB decoded.`);

/** The request's fields. Unknown fields are ignored, and an optional field that is null counts as absent. */
export const videoBodySchema = z.object(
  {
    model: modelField("Id or alias of a video model."),
    prompt: z
      .string({ error: PROMPT_ACCEPTS })
      .refine((text) => charactersOf(text) <= MAX_PROMPT_CHARACTERS, { error: PROMPT_ACCEPTS })
      .nullish()
      .describe("What the video should show. Required for text_to_video and edit."),
    duration: z
      .number({ error: "must be a number of seconds" })
      .nullish()
      .describe("Seconds, within the model's limits."),
    resolution: word("must be a resolution such as 720p", "One of the model's; the first is the default."),
    aspect_ratio: word("must be a ratio such as 16:9", "One of the model's; the first is the default."),
    generate_audio: flag("Video with sound. Default: false."),
    video_draft: flag("A quick, cheap draft. Default: false."),
    reference_image: reference("The image to begin from"),
    reference_video: reference("The video to edit or follow"),
    reference_audio: reference("The audio to follow"),
    keep_audio: flag("Keeps the sound of reference_video; allowed only together with it. Default: true."),
    omni_task: z
      .enum(VIDEO_TASKS, { error: `must be one of ${VIDEO_TASKS.join(", ")}` })
      .nullish()
      .describe(
        "The task. Default: edit with reference_video, image_to_video with reference_image, else text_to_video.",
      ),
    seed: z
      .int({ error: SEED_ACCEPTS })
      .min(0, { error: SEED_ACCEPTS })
      .max(MAX_SEED, { error: SEED_ACCEPTS })
      .nullish()
      .describe("The same seed and request give the same video, if the model supports it."),
  },
  { error: "must be a JSON object" },
);

export type VideoFields = z.output<typeof videoBodySchema>;

const modelId = z
  .string()
  .describe("Catalog id of the model that serves the job, even if an alias was sent.");

export const videoSubmitReplySchema = z.strictObject({
  request_id: z.uuid().describe("Poll the job with it."),
  status: z.literal("processing"),
  model: modelId,
  credits_estimate: z.int().describe("Held until the job ends; the charge is never above it."),
});

export const videoPollReplySchema = z.strictObject({
  request_id: z.uuid(),
  status: z.enum(["processing", "complete", "failed"]),
  model: modelId,
  provider_status: z.string().describe("queued, starting, running, storing, succeeded or failed:<reason>."),
  credits_estimate: z.int().optional().describe("While the job runs: what is held for it."),
  video_url: z
    .url()
    .optional()
    .describe("Only for a complete job, for as long as the video is in the library."),
  credits_charged: paymentShape.credits_charged.optional().describe("Present once the job has ended."),
  balance: paymentShape.balance.optional().describe("The balance right after the job was charged."),
});
