import type { Provider, SpokenLine } from "../../../contract/index.ts";
import { lazily } from "../../../kit/index.ts";
import type { WaysOut } from "../../../outbound/index.ts";
import type { ProviderSettings } from "../../settings.ts";
import { vendorSecrets } from "../../vendor-secrets.ts";
import { createMediaFetch } from "./media-fetch.ts";
import { rejected } from "./model-call.ts";
import { createAiSdkSpeechProvider, type SpeechCall, type SpokenManner } from "./speech-provider.ts";

/** Fixed in the library, so requests are redirected to the configured address. */
const LIBRARY_URL = "https://api.elevenlabs.io";
const PART = { sampleRate: 24_000, channels: 1 } as const;
/** The library inserts the voice into the URL unescaped. */
const VOICE = /^[A-Za-z0-9_-]{1,64}$/;

/** ElevenLabs' voices; for its music we have our own adapter. */
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
  // Set whenever the model's voices are known: the library's own default may not be one of them.
  const voice = line.voice ?? firstVoice;
  if (voice !== undefined && !VOICE.test(voice)) throw rejected("`voice` must be the id of a voice.");
  return {
    text: line.text,
    voice,
    speed: speed === 1 ? undefined : speed,
    outputFormat: isPart ? `pcm_${PART.sampleRate}` : "mp3_44100_128",
  };
}
