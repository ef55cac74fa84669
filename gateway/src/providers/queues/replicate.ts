import type { ImageRequest, MusicRequest, Provider, VideoRequest } from "../../contract/index.ts";
import type { WaysOut } from "../../outbound/index.ts";
import type { Embedding } from "../media/embedded-media.ts";
import { musicPrompt } from "../media/music-prompt.ts";
import { refuseUnsupported, tasksOfMany } from "../media/video-abilities.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import type { WorkRequest } from "./remote-work.ts";
import { createReplicatePredictions, REPLICATE_BASE_URL, replicateHeaders } from "./replicate-predictions.ts";
import { createWorkImages } from "./work-images.ts";
import { createWorkMusic } from "./work-music.ts";
import { createWorkVideo } from "./work-video.ts";

export function createReplicateProvider(settings: ProviderSettings, ways: WaysOut): Provider {
  const work = createReplicatePredictions(settings, ways.outbound);
  const { fetchPublic } = ways;
  const secrets = vendorSecrets(settings);
  const baseUrl = settings.baseUrl ?? REPLICATE_BASE_URL;
  return {
    name: settings.name,
    freeQuestion: {
      url: `${baseUrl}/account`,
      headers: replicateHeaders(settings),
      provesKey: true,
      listsModels: false,
    },
    image: createWorkImages({ work, encode: encodePicture, fetchPublic, secrets }),
    music: createWorkMusic({ work, encode: encodeMusic, decidesLength, fetchPublic, secrets }),
    video: createWorkVideo({ work, check: checkVideo, encode: encodeVideo, fetchPublic, secrets }),
  };
}

function encodePicture({ prompt, aspectRatio, tier, negativePrompt }: ImageRequest): WorkRequest {
  return {
    prompt,
    aspect_ratio: aspectRatio,
    // Few models make more than one, and those use different field names.
    num_outputs: 1,
    ...(tier === "1k" ? {} : { resolution: tier.toUpperCase() }),
    ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }),
  };
}

function checkVideo(request: VideoRequest<unknown>): void {
  refuseUnsupported(request, { tasks: tasksOfMany(request), takesVideo: true, takesAudio: true });
}

/** The field names that most of its models use; each model validates its input and reports what is missing. */
function encodeVideo(_upstreamModel: string, request: VideoRequest, { dataUriOf }: Embedding): WorkRequest {
  const { referenceImage, referenceVideo, referenceAudio } = request;
  return {
    ...(request.prompt === null ? {} : { prompt: request.prompt }),
    aspect_ratio: request.aspectRatio,
    resolution: request.resolution,
    duration: request.durationMs / 1_000,
    // Always sent: some models make sound, and bill it, unless told not to.
    generate_audio: request.sound,
    ...(request.seed === null ? {} : { seed: request.seed }),
    ...(referenceImage === null ? {} : { image: dataUriOf(referenceImage) }),
    ...(referenceVideo === null ? {} : { video: dataUriOf(referenceVideo) }),
    ...(referenceAudio === null ? {} : { audio: dataUriOf(referenceAudio) }),
  };
}

function encodeMusic(upstreamModel: string, request: MusicRequest): WorkRequest {
  const prompt = musicPrompt(request, { saysLength: decidesLength(upstreamModel) });
  return { prompt, duration: Math.round(request.durationMs / 1_000) };
}

/** By the beginning of a segment of the model's id; all others ignore the duration field. */
const TAKES_LENGTH = /(?:^|\/)(?:musicgen|stable-audio|ace-step)/;

function decidesLength(upstreamModel: string): boolean {
  return !TAKES_LENGTH.test(upstreamModel);
}
