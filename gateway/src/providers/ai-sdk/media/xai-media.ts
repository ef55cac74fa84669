import type { Provider, SpokenLine, VideoRequest } from "../../../contract/index.ts";
import { lazily } from "../../../kit/index.ts";
import type { WaysOut } from "../../../outbound/index.ts";
import { createEmbeddedMedia, type Embedding } from "../../media/embedded-media.ts";
import { refuseUnsupported } from "../../media/video-abilities.ts";
import type { ProviderSettings } from "../../settings.ts";
import { vendorSecrets } from "../../vendor-secrets.ts";
import { createMediaFetch } from "./media-fetch.ts";
import { rejected } from "./model-call.ts";
import { createAiSdkSpeechProvider, type SpeechCall, type SpokenManner } from "./speech-provider.ts";
import { createAiSdkVideoProvider, fileOf, type VideoSettings } from "./video-provider.ts";

const BASE_URL = "https://api.x.ai/v1";
const PART = { sampleRate: 24_000, channels: 1 } as const;

/** Grok's videos and voices; its images use the wire that it shares with other vendors. */
export function createXaiMedia(
  settings: ProviderSettings,
  ways: WaysOut,
): Pick<Provider, "video" | "speech"> {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  const embedded = createEmbeddedMedia();
  const loadVideos = loadXai(settings, createMediaFetch(ways, { baseUrl, ordered: embedded }));
  const loadVoices = loadXai(settings, createMediaFetch(ways, { baseUrl }));
  const secrets = vendorSecrets(settings);
  return {
    video: createAiSdkVideoProvider({
      load: async () => (await loadVideos()).video,
      check: checkVideo,
      keepsExtent: (task) => task === "edit",
      encode: encodeVideo,
      embedded,
      decodeEnd: () => null,
      fetchPublic: ways.fetchPublic,
      secrets,
    }),
    speech: createAiSdkSpeechProvider({
      // There is one speech model, without a name on the wire.
      load: async () => {
        const { speech } = await loadVoices();
        return () => speech();
      },
      encode: encodeLine,
      parts: PART,
      secrets,
    }),
  };
}

function loadXai(settings: ProviderSettings, fetch: ReturnType<typeof createMediaFetch>) {
  return lazily(async () => {
    const { createXai } = await import("@ai-sdk/xai");
    return createXai({
      // Never absent: the library would look for one in the environment.
      apiKey: settings.apiKey ?? "",
      baseURL: settings.baseUrl ?? BASE_URL,
      headers: { ...settings.headers },
      fetch,
    });
  });
}

function encodeLine({ voice, text }: SpokenLine, { speed, isPart }: SpokenManner): SpeechCall {
  return {
    text,
    voice: voice ?? undefined,
    speed: speed === 1 ? undefined : speed,
    outputFormat: isPart ? "pcm" : "mp3",
    providerOptions: isPart ? { xai: { sampleRate: PART.sampleRate } } : {},
  };
}

function checkVideo(request: VideoRequest<unknown>): void {
  refuseUnsupported(request, {
    tasks: ["text_to_video", "image_to_video", "reference_to_video", "edit"],
    takesVideo: request.task === "edit",
    takesAudio: request.task === "reference_to_video",
    takesSeed: false,
  });
}

function encodeVideo(request: VideoRequest, embedding: Embedding): VideoSettings {
  if (request.task === "edit") return encodeEdit(request, embedding);
  const { referenceImage, referenceAudio } = request;
  const isReference = request.task === "reference_to_video";
  const references = [referenceImage, referenceAudio].filter((file) => file !== null);
  return {
    aspectRatio: request.aspectRatio as `${number}:${number}`,
    durationSeconds: request.durationMs / 1_000,
    generateAudio: request.sound,
    image: !isReference && referenceImage !== null ? fileOf(referenceImage, embedding) : undefined,
    inputReferences: isReference ? references.map((file) => fileOf(file, embedding)) : undefined,
    providerOptions: { xai: { resolution: request.resolution } },
  };
}

/** Duration, size, aspect ratio and sound are those of the edited video. */
function encodeEdit({ referenceVideo }: VideoRequest, { dataUriOf }: Embedding): VideoSettings {
  if (referenceVideo === null) throw rejected("An edit needs a reference video.");
  return { providerOptions: { xai: { mode: "edit-video", videoUrl: dataUriOf(referenceVideo) } } };
}
