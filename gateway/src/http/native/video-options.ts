import type { VideoModel } from "../../catalog/index.ts";
import type { GivenFile, VideoTask } from "../../contract/index.ts";
import {
  EXTENT_FIELDS,
  type ExtentField,
  type Reference,
  type VideoOptions,
} from "../../generation/index.ts";
import { invalid, present } from "../../kit/index.ts";
import { durationMsOf, oneOfModel } from "../fields/media-fields.ts";
import type { VideoFields } from "./video-schema.ts";

export type GivenReferences = Readonly<Partial<Record<Reference, GivenFile>>>;

/** Our names of the references, and the fields that carry them. */
export const REFERENCE_FIELDS: Readonly<
  Record<Reference, "reference_image" | "reference_video" | "reference_audio">
> = {
  referenceImage: "reference_image",
  referenceVideo: "reference_video",
  referenceAudio: "reference_audio",
};

/** The request before its model is known: the task, checked to have everything it needs. */
type AskedVideo = {
  readonly task: VideoTask;
  readonly prompt: string | null;
  readonly fields: Omit<VideoFields, "reference_image" | "reference_video" | "reference_audio">;
};

export function askedVideo(fields: VideoFields, references: GivenReferences): AskedVideo {
  const { reference_image, reference_video, reference_audio, ...rest } = fields;
  const task = fields.omni_task ?? taskOf(references);
  const prompt = fields.prompt?.trim() ? fields.prompt : null;
  checkNeeds(task, prompt, references);
  if (fields.keep_audio !== undefined && fields.keep_audio !== null && !references.referenceVideo) {
    throw invalid("keep_audio", "may be sent only with reference_video");
  }
  return { task, prompt, fields: rest };
}

function taskOf({ referenceVideo, referenceImage }: GivenReferences): VideoTask {
  if (referenceVideo) return "edit";
  return referenceImage ? "image_to_video" : "text_to_video";
}

function checkNeeds(task: VideoTask, prompt: string | null, references: GivenReferences): void {
  const { referenceImage, referenceVideo, referenceAudio } = references;
  if ((task === "text_to_video" || task === "edit") && prompt === null) {
    throw invalid("prompt", `must be given for ${task}`);
  }
  if (task === "image_to_video" && !referenceImage) {
    throw invalid("reference_image", "must be given for image_to_video");
  }
  if (task === "edit" && !referenceVideo) throw invalid("reference_video", "must be given for edit");
  if (task === "reference_to_video" && !referenceImage && !referenceVideo && !referenceAudio) {
    throw invalid(
      "reference_image",
      "must be given for reference_to_video, or reference_video or reference_audio",
    );
  }
  if (task === "text_to_video" && (referenceImage || referenceVideo)) {
    const field = referenceImage ? "reference_image" : "reference_video";
    throw invalid(field, "is not used by text_to_video; send another omni_task, or none");
  }
}

/** Estimate and job get the same defaults. Options that the model lacks are refused, never dropped. */
export function videoOptionsFor(
  model: VideoModel,
  asked: AskedVideo,
  references: GivenReferences,
): VideoOptions {
  const { fields, task } = asked;
  const { limits } = model;
  const options: VideoOptions = {
    task,
    prompt: asked.prompt,
    durationMs: durationMsOf("duration", fields.duration, limits.duration),
    resolution: ofModel("resolution", fields.resolution, limits.resolutions),
    aspectRatio: ofModel("aspect_ratio", fields.aspect_ratio, limits.aspectRatios),
    sound: fields.generate_audio ?? false,
    draft: fields.video_draft ?? false,
    keepAudio: references.referenceVideo !== undefined && (fields.keep_audio ?? true),
    seed: fields.seed ?? null,
  };
  checkCapabilities(model, options, references);
  return options;
}

/** The options that the caller set. False is the default for sound, so sending it counts as not set. */
export function saidOf({ fields }: AskedVideo): readonly ExtentField[] {
  return EXTENT_FIELDS.filter((field) => fields[field] != null && fields[field] !== false);
}

function ofModel(field: string, given: string | null | undefined, known: readonly string[]): string {
  return oneOfModel(field, given ?? present(known[0], `a ${field} of the model`), known);
}

function checkCapabilities(model: VideoModel, options: VideoOptions, references: GivenReferences): void {
  const lacks = (capability: string) => !model.capabilities.includes(capability);
  if (options.sound && lacks("sound")) throw invalid("generate_audio", "this model makes no sound");
  if (options.draft && lacks("draft")) throw invalid("video_draft", "this model makes no drafts");
  if (options.seed !== null && lacks("seed")) throw invalid("seed", "this model takes none");
  for (const [name, field] of Object.entries(REFERENCE_FIELDS)) {
    if (references[name as Reference] && lacks(field)) throw invalid(field, "this model takes none");
  }
  if (options.task === "edit" && lacks("edit")) {
    throw invalid("omni_task", "this model does not edit; send reference_to_video");
  }
}
