import { lazily } from "../../../kit/index.ts";
import type { Provider } from "../../contract.ts";
import type { SpokenLine } from "../../media/media-contract.ts";
import type { WaysOut } from "../../outbound/index.ts";
import type { ProviderSettings } from "../../settings.ts";
import { vendorSecrets } from "../../vendor-secrets.ts";
import { createMediaFetch } from "./media-fetch.ts";
import { rejected } from "./model-call.ts";
import { createAiSdkSpeechProvider, type SpeechCall, type SpokenManner } from "./speech-provider.ts";

/** Fixed in the library, so calls are turned to the configured address on their way out. */
const LIBRARY_URL = "https://api.elevenlabs.io";
const PART = { sampleRate: 24_000, channels: 1 } as const;
/** The library puts the voice into the address as it is. */
const VOICE = /^[A-Za-z0-9_-]{1,64}$/;

/** Voices of ElevenLabs; its music has an adapter of our own. */
export function createElevenLabsSpeech(
  settings: ProviderSettings,
  ways: WaysOut & { readonly baseUrl: string },
): Pick<Provider, "speech"> {
  const load = lazily(async () => {
    const { createElevenLabs } = await import("@ai-sdk/elevenlabs");
    return createElevenLabs({
      // Never absent: the library would look for one in the environment.
      apiKey: settings.apiKey ?? "",
      headers: { ...settings.headers },
      fetch: createMediaFetch(ways, { libraryUrl: LIBRARY_URL, baseUrl: ways.baseUrl }),
    });
  });
  return {
    speech: createAiSdkSpeechProvider({
      load: async () => (await load()).speech,
      encode: encodeLine,
      parts: PART,
      secrets: vendorSecrets(settings),
    }),
  };
}

function encodeLine(line: SpokenLine, { speed, firstVoice, isPart }: SpokenManner): SpeechCall {
  // Never absent where the model's list is known: the library would take one of its own, which may not be on it.
  const voice = line.voice ?? firstVoice;
  if (voice !== undefined && !VOICE.test(voice)) throw rejected("`voice` must be the id of a voice.");
  return {
    text: line.text,
    voice,
    speed: speed === 1 ? undefined : speed,
    outputFormat: isPart ? `pcm_${PART.sampleRate}` : "mp3_44100_128",
  };
}
