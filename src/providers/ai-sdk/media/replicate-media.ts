import { lazily } from "../../../kit/index.ts";
import type { Provider } from "../../contract.ts";
import type { ImageRequest } from "../../media-contract.ts";
import type { ProviderSettings } from "../../settings.ts";
import { createAiSdkImageProvider, type ImageSettings } from "./image-provider.ts";
import { createMediaFetch, type MediaDeps } from "./media-fetch.ts";

/** Pictures of Replicate; its films and music are predictions that we read ourselves. */
export function createReplicateMedia(
  settings: ProviderSettings,
  deps: MediaDeps & { readonly baseUrl: string },
): Pick<Provider, "image"> {
  const { baseUrl } = deps;
  const load = lazily(async () => {
    const { createReplicate } = await import("@ai-sdk/replicate");
    return createReplicate({
      // Never absent: the library would look for one in the environment.
      apiToken: settings.apiKey ?? "",
      baseURL: baseUrl,
      headers: { ...settings.headers },
      fetch: createMediaFetch(deps, { libraryUrl: baseUrl, baseUrl }),
    });
  });
  return {
    image: createAiSdkImageProvider({
      load: async () => (await load()).image,
      encode: encodePicture,
      // Few of its models take a number, and those that do take it under names of their own.
      perCall: 1,
    }),
  };
}

/** A model that nobody used lately starts for minutes; the library would wait for two. Our own limit comes first. */
const PATIENCE = { pollIntervalMillis: 500, maxPollAttempts: 1_800 };

function encodePicture({ aspectRatio, tier, negativePrompt }: ImageRequest): ImageSettings {
  return {
    aspectRatio: aspectRatio as `${number}:${number}`,
    providerOptions: {
      replicate: {
        ...PATIENCE,
        ...(tier === "1k" ? {} : { resolution: tier.toUpperCase() }),
        ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }),
      },
    },
  };
}
