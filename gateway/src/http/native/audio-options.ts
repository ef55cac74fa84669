import type { AudioModel, MusicModel, SpeechModel } from "../../catalog/index.ts";
import type { MusicCall, SpeechCall } from "../../generation/index.ts";
import { invalid } from "../../kit/index.ts";
import { charactersOf, durationMsOf, oneOfModel } from "../fields/media-fields.ts";
import type { AudioFields } from "./audio-schema.ts";
import { spokenLines } from "./audio-speakers.ts";

type SpeechOptions = Pick<SpeechCall, "kind" | "model" | "prompt" | "characters" | "request">;
type MusicOptions = Pick<
  MusicCall,
  "kind" | "model" | "prompt" | "style" | "durationMs" | "referenceImageUrls"
>;

/** Fields that belong to only one of the two kinds. */
const ONLY_SPEECH = ["voice", "speakers", "speed"] as const;
const ONLY_MUSIC = ["music_style", "duration_seconds"] as const;

/** Refuses what the model does not generate, and fields that mean nothing to it. */
export function audioOptionsFor(model: AudioModel, fields: AudioFields): SpeechOptions | MusicOptions {
  const asked = fields.audio_kind ?? "speech";
  if (asked !== model.audioKind) {
    throw invalid("audio_kind", `must be ${model.audioKind} for this model`);
  }
  return model.audioKind === "speech" ? speechOptions(model, fields) : musicOptions(model, fields);
}

function speechOptions(model: SpeechModel, fields: AudioFields): SpeechOptions {
  refuseFields(fields, ONLY_MUSIC, "music");
  refuseReferences(fields);
  const { prompt } = fields;
  const { maxCharacters, voices } = model.limits;
  const characters = charactersOf(prompt);
  if (characters > maxCharacters) {
    throw invalid(
      "prompt",
      `must have at most ${maxCharacters.toLocaleString("en")} characters for this model`,
    );
  }
  const voice = fields.voice == null ? null : oneOfModel("voice", fields.voice, voices);
  const speakers = fields.speakers ?? [];
  if (speakers.length > 0) requireCapability(model, "speakers", "this model speaks in one voice");
  const speed = fields.speed ?? 1;
  if (speed !== 1) requireCapability(model, "speed", "this model has only one speed");
  const lines = spokenLines({ prompt, voice, speakers, voices });
  return { kind: "speech", model, prompt, characters, request: { lines, speed, firstVoice: voices[0] } };
}

function musicOptions(model: MusicModel, fields: AudioFields): MusicOptions {
  refuseFields(fields, ONLY_SPEECH, "speech");
  if (!model.capabilities.includes("reference_images")) refuseReferences(fields);
  const { styles, duration } = model.limits;
  return {
    kind: "music",
    model,
    prompt: fields.prompt,
    style: fields.music_style == null ? null : oneOfModel("music_style", fields.music_style, styles),
    durationMs: durationMsOf("duration_seconds", fields.duration_seconds, duration),
    referenceImageUrls: fields.reference_image_urls ?? [],
  };
}

function refuseFields(fields: AudioFields, names: readonly (keyof AudioFields)[], kind: string): void {
  const wrong = names.find((name) => fields[name] != null);
  if (wrong !== undefined) throw invalid(wrong, `must be absent: it belongs to audio_kind ${kind}`);
}

function refuseReferences({ reference_image_urls: urls }: AudioFields): void {
  if (urls != null && urls.length > 0) {
    throw invalid("reference_image_urls", "must be absent: this model cannot use images");
  }
}

function requireCapability(model: SpeechModel, capability: "speakers" | "speed", because: string): void {
  if (!model.capabilities.includes(capability)) throw invalid(capability, `must be absent: ${because}`);
}
