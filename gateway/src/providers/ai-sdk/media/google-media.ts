import type { ImageRequest, Provider, SpeechRequest, SpokenLine } from "../../../contract/index.ts";
import { lazily } from "../../../kit/index.ts";
import type { WaysOut } from "../../../outbound/index.ts";
import { createEmbeddedMedia, type EmbeddedMedia } from "../../media/embedded-media.ts";
import type { ProviderSettings } from "../../settings.ts";
import { vendorSecrets } from "../../vendor-secrets.ts";
import { GOOGLE_BASE_URL, vertexBaseUrl } from "../google.ts";
import { geminiWord } from "./empty-result.ts";
import { createGoogleMusic } from "./google-music.ts";
import { checkGoogleVideo, decodeGoogleEnd, encodeGoogleVideo } from "./google-video.ts";
import { createAiSdkImageProvider, type ImageSettings } from "./image-provider.ts";
import { createMediaFetch } from "./media-fetch.ts";
import { rejected } from "./model-call.ts";
import { createAiSdkSpeechProvider, type SpeechCall } from "./speech-provider.ts";
import { createAiSdkVideoProvider } from "./video-provider.ts";

/** The service's limit per call; more voices are spoken one by one and joined. */
const VOICES_TOGETHER = 2;
/** The library's own default. */
const DEFAULT_VOICE = "Kore";
/** These models take the speakers from the text; later ones have a field for them. */
const LABELLED_MODELS = /^gemini-(?:2\.5|3\.1)-/;

function encodeGoogleLine(line: SpokenLine, { speed }: { readonly speed: number }): SpeechCall {
  refuseSpeed(speed);
  return { text: line.text, voice: line.voice ?? DEFAULT_VOICE, outputFormat: undefined };
}

/** A dialogue in one call, in which the voices respond to each other; parts spoken separately cannot. */
function encodeGoogleTogether(upstreamModel: string, { lines, speed }: SpeechRequest): SpeechCall | null {
  refuseSpeed(speed);
  const voices = [...new Set(lines.map(({ voice }) => voice ?? DEFAULT_VOICE))];
  if (voices.length > VOICES_TOGETHER) return null;
  const turns = lines.map(({ voice, text }) => ({
    text,
    speaker: `Speaker ${voices.indexOf(voice ?? DEFAULT_VOICE) + 1}`,
  }));
  const multiSpeakerVoiceConfig = {
    speakerVoiceConfigs: voices.map((voiceName, at) => ({
      speaker: `Speaker ${at + 1}`,
      voiceConfig: { prebuiltVoiceConfig: { voiceName } },
    })),
  };
  if (LABELLED_MODELS.test(upstreamModel)) {
    const text = turns.map((turn) => `${turn.speaker}: ${turn.text}`).join("\n");
    return { text, providerOptions: { google: { multiSpeakerVoiceConfig } } };
  }
  const structured = turns.map(({ text, speaker }) => ({ text, speechMetadata: { speaker } }));
  return { text: "", providerOptions: { google: { multiSpeakerVoiceConfig, turns: structured } } };
}

function refuseSpeed(speed: number): void {
  if (speed !== 1) throw rejected("This model has only one speed: leave out `speed`.");
}

/** Gemini's images and voices, Veo's videos, Lyria's music. */
export function createGoogleMedia(settings: ProviderSettings, ways: WaysOut): Omit<Provider, "name"> {
  const baseUrl = settings.baseUrl ?? GOOGLE_BASE_URL;
  const embedded = createEmbeddedMedia();
  const loadVideos = loadGoogle(settings, ways, { baseUrl, ordered: embedded });
  return {
    ...picturesAndVoices(loadGoogle(settings, ways, { baseUrl }), vendorSecrets(settings)),
    video: createAiSdkVideoProvider({
      load: async () => (await loadVideos()).video,
      check: checkGoogleVideo,
      encode: encodeGoogleVideo,
      embedded,
      decodeEnd: decodeGoogleEnd,
      fetchPublic: ways.fetchPublic,
      secrets: vendorSecrets(settings),
    }),
    music: createGoogleMusic(settings, { ...ways, baseUrl }),
  };
}

/** Google's cloud uses the same wire for images and voices, but another one for long-running work. */
export function createVertexMedia(settings: ProviderSettings, ways: WaysOut): Omit<Provider, "name"> {
  const baseUrl = settings.baseUrl ?? vertexBaseUrl(settings);
  return picturesAndVoices(loadGoogle(settings, ways, { baseUrl }), vendorSecrets(settings));
}

type Load = ReturnType<typeof loadGoogle>;

function loadGoogle(
  settings: ProviderSettings,
  ways: WaysOut,
  address: { readonly baseUrl: string; readonly ordered?: EmbeddedMedia },
) {
  return lazily(async () => {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle({
      // Never absent: the library would look for one in the environment.
      apiKey: settings.apiKey ?? "",
      baseURL: address.baseUrl,
      headers: { ...settings.headers },
      fetch: createMediaFetch(ways, address),
    });
  });
}

function picturesAndVoices(load: Load, secrets: readonly string[]): Pick<Provider, "image" | "speech"> {
  return {
    image: createAiSdkImageProvider({
      load: async () => (await load()).image,
      encode: encodePicture,
      perCall: 1,
      secrets,
    }),
    speech: createAiSdkSpeechProvider({
      load: async () => (await load()).speech,
      encode: encodeGoogleLine,
      encodeTogether: encodeGoogleTogether,
      wordOf: geminiWord,
      parts: "wav",
      secrets,
    }),
  };
}

/** The smallest size is every model's default, and the only one that some support. */
function encodePicture({ aspectRatio, tier, negativePrompt }: ImageRequest): ImageSettings {
  if (negativePrompt !== undefined) throw rejected("This model takes no negative prompt.");
  return {
    aspectRatio: aspectRatio as `${number}:${number}`,
    providerOptions: tier === "1k" ? {} : { google: { imageConfig: { imageSize: tier.toUpperCase() } } },
  };
}
