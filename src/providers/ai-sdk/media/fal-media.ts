import { lazily } from "../../../kit/index.ts";
import type { Provider } from "../../contract.ts";
import type { ImageRequest, SpokenLine } from "../../media-contract.ts";
import { sidesFor } from "../../picture-sides.ts";
import type { ProviderSettings } from "../../settings.ts";
import { createAiSdkImageProvider, type GeneratedImages, type ImageSettings } from "./image-provider.ts";
import { createMediaFetch, type MediaDeps } from "./media-fetch.ts";
import { createAiSdkSpeechProvider, type SpeechCall } from "./speech-provider.ts";

/** Fixed in the library for some of its models, so calls are turned to the configured address on their way out. */
const LIBRARY_URL = "https://fal.run";

/** Pictures and voices of fal; its films and music go by its queue. */
export function createFalMedia(
  settings: ProviderSettings,
  deps: MediaDeps,
): Pick<Provider, "image" | "speech"> {
  const baseUrl = settings.baseUrl ?? LIBRARY_URL;
  const load = lazily(async () => {
    const { createFal } = await import("@ai-sdk/fal");
    return createFal({
      // Never absent: the library would look for one in the environment.
      apiKey: settings.apiKey ?? "",
      baseURL: baseUrl,
      headers: { ...settings.headers },
      fetch: createMediaFetch(deps, { libraryUrl: LIBRARY_URL, baseUrl }),
    });
  });
  return {
    image: createAiSdkImageProvider({
      load: async () => (await load()).image,
      encode: encodePicture,
      perCall: 1,
      isFlagged,
    }),
    speech: createAiSdkSpeechProvider({
      load: async () => (await load()).speech,
      encode: encodeLine,
      parts: null,
    }),
  };
}

/** Some of its models take a size, others a ratio and a class of sizes; each leaves alone what it does not know. */
function encodePicture({ aspectRatio, tier, negativePrompt }: ImageRequest): ImageSettings {
  const { width, height } = sidesFor({ aspectRatio, tier });
  return {
    size: `${width}x${height}`,
    providerOptions: {
      fal: {
        aspect_ratio: aspectRatio,
        ...(tier === "1k" ? {} : { resolution: tier.toUpperCase() }),
        ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }),
      },
    },
  };
}

/** What its safety checker finds comes as any other picture does, with a mark beside it. */
function isFlagged(metadata: GeneratedImages["providerMetadata"], at: number): boolean {
  const picture = metadata?.["fal"]?.images?.[at] as { readonly nsfw?: unknown } | null | undefined;
  return picture?.nsfw === true;
}

/** The same twice: some of its models have the voice at the top, others among settings. */
function encodeLine({ voice, text }: SpokenLine, { speed }: { readonly speed: number }): SpeechCall {
  const setting = { ...(voice === null ? {} : { voice_id: voice }), ...(speed === 1 ? {} : { speed }) };
  return {
    text,
    voice: voice ?? undefined,
    speed: speed === 1 ? undefined : speed,
    providerOptions: Object.keys(setting).length === 0 ? {} : { fal: { voice_setting: setting } },
  };
}
