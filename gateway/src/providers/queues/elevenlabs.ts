import { type MusicProvider, type Provider, ProviderFailure } from "../../contract/index.ts";
import { failureOfResponse, readBytes, type WaysOut } from "../../outbound/index.ts";
import { createElevenLabsSpeech } from "../ai-sdk/media/index.ts";
import { hostedLimits } from "../media/hosted-file.ts";
import { madeFile } from "../media/made-file.ts";
import { musicPrompt } from "../media/music-prompt.ts";
import type { ProviderSettings } from "../settings.ts";

const BASE_URL = "https://api.elevenlabs.io";

export function createElevenLabsProvider(settings: ProviderSettings, ways: WaysOut): Provider {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  return {
    name: settings.name,
    ...createElevenLabsSpeech(settings, { ...ways, baseUrl }),
    music: createMusic(settings, { ...ways, baseUrl }),
  };
}

/** A single call that returns the song itself. The AI SDK has no music models. */
function createMusic(
  settings: ProviderSettings,
  { outbound, baseUrl }: WaysOut & { readonly baseUrl: string },
): MusicProvider {
  const headers = {
    "content-type": "application/json",
    ...(settings.apiKey === null ? {} : { "xi-api-key": settings.apiKey }),
    ...settings.headers,
  };
  return {
    async compose(upstreamModel, request, { signal }) {
      if (request.referenceImages.length > 0) {
        throw new ProviderFailure("rejected", "This model takes no reference images.");
      }
      const body = JSON.stringify({
        prompt: musicPrompt(request),
        music_length_ms: request.durationMs,
        model_id: upstreamModel,
      });
      const order = { method: "POST", headers, body, isSentOnce: true, signal } as const;
      const response = await outbound(`${baseUrl}/v1/music`, order);
      if (!response.ok) throw await failureOfResponse(response);
      return madeFile(await readBytes(response, hostedLimits("audio").maxBytes), "audio");
    },
  };
}
