import type { ImageRequest, Provider } from "../../../contract/index.ts";
import { lazily } from "../../../kit/index.ts";
import type { WaysOut } from "../../../outbound/index.ts";
import { createEmbeddedMedia, type EmbeddedMedia } from "../../media/embedded-media.ts";
import type { ProviderSettings } from "../../settings.ts";
import { vendorSecrets } from "../../vendor-secrets.ts";
import { GOOGLE_BASE_URL, vertexBaseUrl } from "../google.ts";
import { geminiWord } from "./empty-result.ts";
import { createGoogleMusic } from "./google-music.ts";
import { encodeGoogleLine, encodeGoogleTogether } from "./google-speech.ts";
import { checkGoogleVideo, decodeGoogleEnd, encodeGoogleVideo } from "./google-video.ts";
import { createAiSdkImageProvider, type ImageSettings } from "./image-provider.ts";
import { createMediaFetch } from "./media-fetch.ts";
import { rejected } from "./model-call.ts";
import { createAiSdkSpeechProvider } from "./speech-provider.ts";
import { createAiSdkVideoProvider } from "./video-provider.ts";

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
