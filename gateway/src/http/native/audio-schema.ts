import { z } from "zod";
import { promptField } from "../fields/media-fields.ts";
import { modelField } from "../fields/model-id.ts";
import { paymentShape } from "../fields/paid-fields.ts";

const KINDS = ["speech", "music"] as const;
const NAME_ACCEPTS = "must be text of 1 to 200 characters";
const MAX_SPEAKERS = 16;
const SPEAKERS_ACCEPT = `must be a list of at most ${MAX_SPEAKERS} strings`;
const SPEED_ACCEPTS = "must be a number from 0.25 to 4";
const DURATION_ACCEPTS = "must be a number of seconds";
const MAX_REFERENCES = 16;
const REFERENCES_ACCEPT = `must be a list of at most ${MAX_REFERENCES} addresses`;
const URL_ACCEPTS = "must be the public address of an image, at most 2,048 characters";
const MAX_URL_CHARACTERS = 2_048;

const name = z
  .string({ error: NAME_ACCEPTS })
  .min(1, { error: NAME_ACCEPTS })
  .max(200, { error: NAME_ACCEPTS });

/** The request's fields. Unknown fields are ignored, and an optional field that is null counts as absent. */
export const audioBodySchema = z.object(
  {
    model: modelField("Id or alias of an audio model."),
    prompt: promptField("The text to speak, or a description of the music."),
    audio_kind: z
      .enum(KINDS, { error: `must be one of ${KINDS.join(", ")}` })
      .nullish()
      .describe("The kind of audio that the model generates; speech if absent."),
    voice: name.nullish().describe("Speech: one of the model's voices. If absent, the model chooses."),
    speakers: z
      .array(name, { error: SPEAKERS_ACCEPT })
      .max(MAX_SPEAKERS, { error: SPEAKERS_ACCEPT })
      .nullish()
      .describe(
        "Speech: voices for lines written `Name: text`. The first name takes the first voice, and so on; `Name=voice` assigns a voice to a name.",
      ),
    speed: z
      .number({ error: SPEED_ACCEPTS })
      .min(0.25, { error: SPEED_ACCEPTS })
      .max(4, { error: SPEED_ACCEPTS })
      .nullish()
      .describe("Speech: 1 is the voice's normal pace."),
    music_style: name.nullish().describe("Music: one of the model's styles. If absent, the prompt decides."),
    duration_seconds: z
      .number({ error: DURATION_ACCEPTS })
      .nullish()
      .describe("Music: within the model's limits; its default if absent. The price depends on it."),
    reference_image_urls: z
      .array(
        z
          .string({ error: URL_ACCEPTS })
          .max(MAX_URL_CHARACTERS, { error: URL_ACCEPTS })
          .refine((url) => URL.canParse(url), { error: URL_ACCEPTS })
          .meta({ format: "uri" }),
        { error: REFERENCES_ACCEPT },
      )
      .max(MAX_REFERENCES, { error: REFERENCES_ACCEPT })
      .nullish()
      .describe(
        "Music: images as inspiration, fetched by Bursar before anything is charged. Only for models with the capability reference_images.",
      ),
  },
  { error: "must be a JSON object" },
);

export type AudioFields = z.output<typeof audioBodySchema>;

export const audioReplySchema = z.strictObject({
  request_id: z.uuid(),
  model: z.string().describe("Catalog id of the model that served the call, even if an alias was sent."),
  audio_kind: z.enum(KINDS),
  audio_url: z.url().describe("Opens without a key for as long as the audio is in the library."),
  ...paymentShape,
});
