import type { MusicRequest, Provider, VideoRequest } from "../../contract/index.ts";
import type { WaysOut } from "../../outbound/index.ts";
import { createFalMedia } from "../ai-sdk/media/index.ts";
import type { Embedding } from "../media/embedded-media.ts";
import { musicPrompt } from "../media/music-prompt.ts";
import { refuseUnsupported, tasksOfMany } from "../media/video-abilities.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import { createFalQueue } from "./fal-queue.ts";
import { createFalSpeech } from "./fal-speech.ts";
import type { WorkRequest } from "./remote-work.ts";
import { createWorkMusic } from "./work-music.ts";
import { createWorkVideo } from "./work-video.ts";

export function createFalProvider(settings: ProviderSettings, ways: WaysOut): Provider {
  const work = createFalQueue(settings, ways.outbound);
  const { fetchPublic } = ways;
  const secrets = vendorSecrets(settings);
  return {
    name: settings.name,
    ...createFalMedia(settings, ways),
    speech: createFalSpeech(settings, ways),
    music: createWorkMusic({ work, encode: encodeMusic, decidesLength, fetchPublic, secrets }),
    video: createWorkVideo({ work, check: checkVideo, encode: encodeVideo, fetchPublic, secrets }),
  };
}

function checkVideo(request: VideoRequest<unknown>): void {
  const takes = { takesVideo: true, takesAudio: true, leavesSoundOut: true };
  refuseUnsupported(request, { tasks: tasksOfMany(request), ...takes });
}

/**
 * How a duration is written, by the beginning of a segment of the model's id; all others take the digits as a string.
 */
const VIDEO_LENGTHS: readonly (readonly [RegExp, (seconds: number) => string | number])[] = [
  [/(?:^|\/)(?:veo|luma)/, (seconds) => `${seconds}s`],
  [/(?:^|\/)(?:ltx-2|sora-2)/, (seconds) => seconds],
];

export function encodeVideo(
  upstreamModel: string,
  request: VideoRequest,
  { dataUriOf }: Embedding,
): WorkRequest {
  const { referenceImage, referenceVideo, referenceAudio } = request;
  const lengthOf = VIDEO_LENGTHS.find(([pattern]) => pattern.test(upstreamModel))?.[1] ?? String;
  return {
    ...(request.prompt === null ? {} : { prompt: request.prompt }),
    aspect_ratio: request.aspectRatio,
    resolution: request.resolution,
    duration: lengthOf(request.durationMs / 1_000),
    // Always sent: some models make sound, and bill it, unless told not to.
    generate_audio: request.sound,
    ...(request.seed === null ? {} : { seed: request.seed }),
    ...(referenceImage === null ? {} : { image_url: dataUriOf(referenceImage) }),
    ...(referenceVideo === null
      ? {}
      : { video_url: dataUriOf(referenceVideo), keep_audio: request.keepAudio }),
    ...(referenceAudio === null ? {} : { audio_url: dataUriOf(referenceAudio) }),
  };
}

/** The field of the duration, by the beginning of a segment of the model's id; all others choose it themselves. */
const LENGTH_FIELDS: readonly (readonly [RegExp, (durationMs: number) => WorkRequest])[] = [
  [/(?:^|\/)stable-audio/, (durationMs) => ({ seconds_total: Math.round(durationMs / 1_000) })],
  [/(?:^|\/)elevenlabs\/music/, (durationMs) => ({ music_length_ms: durationMs })],
  [/(?:^|\/)(?:ace-step|cassette)/, (durationMs) => ({ duration: Math.round(durationMs / 1_000) })],
];

/** Takes a style and lyrics but no prompt; another endpoint of the same app takes one. */
const TAKES_TAGS = /(?:^|\/)ace-step$/;

function encodeMusic(upstreamModel: string, request: MusicRequest): WorkRequest {
  const length = LENGTH_FIELDS.find(([pattern]) => pattern.test(upstreamModel))?.[1];
  return {
    [TAKES_TAGS.test(upstreamModel) ? "tags" : "prompt"]: musicPrompt(request, {
      saysLength: length === undefined,
    }),
    ...length?.(request.durationMs),
  };
}

function decidesLength(upstreamModel: string): boolean {
  return !LENGTH_FIELDS.some(([pattern]) => pattern.test(upstreamModel));
}
