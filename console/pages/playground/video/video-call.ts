import type { ModelRow } from "../../../../gateway/src/http/console/contract.ts";
import { durationFor } from "../duration-field.tsx";
import type { PlayCall } from "../play.ts";
import type { ReferenceKind, References } from "../reference-file.ts";
import { oneOf } from "../use-model.ts";

export type VideoChoices = {
  readonly prompt: string;
  readonly ratio: string;
  readonly resolution: string;
  readonly seconds: string;
  readonly hasSound: boolean;
  readonly isDraft: boolean;
  readonly files: References;
  readonly task: string;
  readonly keepsSound: boolean;
  readonly seed: string;
};

export const NO_CHOICES: VideoChoices = {
  prompt: "",
  ratio: "",
  resolution: "",
  seconds: "",
  hasSound: false,
  isDraft: false,
  files: {},
  task: "",
  keepsSound: true,
  seed: "",
};

export const SAMPLE = "Waves roll onto a beach at sunrise, gulls overhead";

const REFERENCE_KINDS: readonly ReferenceKind[] = ["image", "video", "audio"];

export function referenceKindsOf({ capabilities }: ModelRow): ReferenceKind[] {
  return REFERENCE_KINDS.filter((kind) => capabilities.includes(`reference_${kind}`));
}

/** The chosen files, as far as this model accepts them. */
export function filesFor(model: ModelRow, files: References): References {
  const taken = referenceKindsOf(model).flatMap((kind) =>
    files[kind] ? [[kind, files[kind]] as const] : [],
  );
  return Object.fromEntries(taken);
}

type Task = { readonly value: string; readonly label: string };

/** What can be done with such files; the first is the default. */
export function tasksFor(model: ModelRow, files: References): readonly Task[] {
  if (files.video) {
    const edit = { value: "edit", label: "Change it as described" };
    const follow = { value: "reference_to_video", label: "Create a new one based on it" };
    return model.capabilities.includes("edit") ? [edit, follow] : [follow];
  }
  if (!files.image) return [];
  return [
    { value: "image_to_video", label: "Start with the image" },
    { value: "reference_to_video", label: "Create something based on it" },
  ];
}

export function taskFor(model: ModelRow, { files, task }: VideoChoices): string {
  const tasks = tasksFor(model, filesFor(model, files));
  return (tasks.find(({ value }) => value === task) ?? tasks[0])?.value ?? "text_to_video";
}

/** An image can replace the prompt. */
export function needsPrompt(model: ModelRow, choices: VideoChoices): boolean {
  return ["text_to_video", "edit"].includes(taskFor(model, choices));
}

type Extent = { readonly duration?: number; readonly resolution?: string; readonly aspect_ratio?: string };

function extentOf(
  { choices: { aspectRatios, resolutions, durationSeconds } }: ModelRow,
  choices: VideoChoices,
): Extent {
  const ratio = oneOf(aspectRatios, choices.ratio);
  const resolution = oneOf(resolutions, choices.resolution);
  const seconds = durationFor(durationSeconds, choices.seconds);
  return {
    ...(seconds === null ? {} : { duration: seconds }),
    ...(resolution === "" ? {} : { resolution }),
    ...(ratio === "" ? {} : { aspect_ratio: ratio }),
  };
}

/** What differs from the gateway's defaults. Some models keep the values of the edited video, and refuse others. */
function unusualExtentOf(model: ModelRow, choices: VideoChoices): Extent {
  const usual = new Map<string, unknown>(Object.entries(extentOf(model, NO_CHOICES)));
  const chosen = Object.entries(extentOf(model, choices));
  return Object.fromEntries(chosen.filter(([field, value]) => value !== usual.get(field)));
}

export function videoCallOf(model: ModelRow, choices: VideoChoices): PlayCall {
  const has = (name: string) => model.capabilities.includes(name);
  const files = filesFor(model, choices.files);
  const task = taskFor(model, choices);
  const prompt = choices.prompt || (needsPrompt(model, choices) ? SAMPLE : "");
  const isUsual = task === (files.video ? "edit" : files.image ? "image_to_video" : "text_to_video");
  const given = Object.entries(files).map(([kind, file]) => [`reference_${kind}`, file] as const);
  return {
    endpoint: "api-v1-video",
    body: {
      model: model.id,
      ...(prompt === "" ? {} : { prompt }),
      ...(task === "edit" ? unusualExtentOf(model, choices) : extentOf(model, choices)),
      ...(has("sound") && choices.hasSound ? { generate_audio: true } : {}),
      ...(has("draft") && choices.isDraft ? { video_draft: true } : {}),
      ...(isUsual ? {} : { omni_task: task }),
      ...(files.video && !choices.keepsSound ? { keep_audio: false } : {}),
      ...(has("seed") && choices.seed !== "" ? { seed: Number(choices.seed) } : {}),
    },
    files: Object.fromEntries(given),
  };
}
