import type { ImageRequest, MusicRequest, Provider, VideoRequest } from "../../contract/index.ts";
import type { OutboundFetch, WaysOut } from "../../outbound/index.ts";
import type { Embedding } from "../media/embedded-media.ts";
import { musicPrompt } from "../media/music-prompt.ts";
import { refuseUnsupported, tasksOfMany } from "../media/video-abilities.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import type { RemoteWork, WorkRequest, WorkState } from "./remote-work.ts";
import { createVendorCall, idOf, pathOf, type VendorAnswer } from "./vendor-call.ts";
import { createWorkImages } from "./work-images.ts";
import { createWorkMusic } from "./work-music.ts";
import { createWorkVideo } from "./work-video.ts";

const REPLICATE_BASE_URL = "https://api.replicate.com/v1";

function replicateHeaders({ apiKey, headers }: ProviderSettings): Readonly<Record<string, string>> {
  return { ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers };
}

/**
 * Replicate's predictions, polled by id at the configured address. The AI SDK would follow the address in the response,
 * and accepts neither a list of outputs nor an unknown status.
 */
export function createReplicatePredictions(settings: ProviderSettings, outbound: OutboundFetch): RemoteWork {
  const baseUrl = settings.baseUrl ?? REPLICATE_BASE_URL;
  const call = createVendorCall(outbound, replicateHeaders(settings));

  return {
    embedded: call.embedded,

    async start(upstreamModel, input, context) {
      const [model = "", version] = upstreamModel.split(":");
      const { id } =
        version === undefined
          ? await call.post(`${baseUrl}/models/${pathOf(model)}/predictions`, { input }, context)
          : await call.post(`${baseUrl}/predictions`, { version, input }, context);
      return idOf(id);
    },

    async poll(_upstreamModel, id, context) {
      return decodePrediction(await call.get(`${baseUrl}/predictions/${idOf(id)}`, context));
    },
  };
}

function decodePrediction({ status, output, error }: VendorAnswer): WorkState {
  switch (status) {
    case "starting":
      return { state: "starting" };
    case "succeeded":
      return { state: "done", output };
    case "failed":
    case "canceled":
    case "aborted":
      return { state: "failed", text: typeof error === "string" ? error : "" };
    default:
      return { state: "running" };
  }
}

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
