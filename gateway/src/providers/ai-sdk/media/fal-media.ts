import { type ImageRequest, type Provider, sidesFor } from "../../../contract/index.ts";
import { lazily } from "../../../kit/index.ts";
import type { WaysOut } from "../../../outbound/index.ts";
import type { ProviderSettings } from "../../settings.ts";
import { vendorSecrets } from "../../vendor-secrets.ts";
import { createAiSdkImageProvider, type GeneratedImages, type ImageSettings } from "./image-provider.ts";
import { createMediaFetch } from "./media-fetch.ts";

/**
 * The vendor's servers send null fields, for which the library rejects the response. Responses to POST are JSON; all
 * others are files.
 */
function withoutNulls(call: typeof fetch): typeof fetch {
  const cleaned = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
    const response = await call(input, init);
    if (init?.method !== "POST") return response;
    const text = await response.text();
    return new Response(text.includes("null") ? cleanedJson(text) : text, response);
  };
  return Object.assign(cleaned, { preconnect: () => {} });
}

/** Invalid JSON is left for the library to report. */
function cleanedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (_name, value) => value ?? undefined));
  } catch {
    return text;
  }
}

const BASE_URL = "https://fal.run";

/** Fal's images; for its voices, videos and music we have our own adapters. */
export function createFalMedia(settings: ProviderSettings, ways: WaysOut): Pick<Provider, "image"> {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  const load = lazily(async () => {
    const { createFal } = await import("@ai-sdk/fal");
    return createFal({
      // Never absent: the library would look for one in the environment.
      apiKey: settings.apiKey ?? "",
      baseURL: baseUrl,
      headers: { ...settings.headers },
      fetch: withoutNulls(createMediaFetch(ways, { baseUrl })),
    });
  });
  return {
    image: createAiSdkImageProvider({
      load: async () => (await load()).image,
      encode: encodePicture,
      perCall: 1,
      isFlagged,
      secrets: vendorSecrets(settings),
    }),
  };
}

/** Some of its models take a size, others a ratio and a size class; each ignores what it does not know. */
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

/** Images that its safety checker finds are returned like any other, but with a flag. */
function isFlagged(metadata: GeneratedImages["providerMetadata"], at: number): boolean {
  const picture = metadata?.["fal"]?.images?.[at] as { readonly nsfw?: unknown } | null | undefined;
  return picture?.nsfw === true;
}
