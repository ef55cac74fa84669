import type { SpeechRequest, SpokenLine } from "../../../contract/index.ts";
import { rejected } from "./model-call.ts";
import type { SpeechCall } from "./speech-provider.ts";

/** The service's limit per call; more voices are spoken one by one and joined. */
const VOICES_TOGETHER = 2;
/** The library's own default. */
const DEFAULT_VOICE = "Kore";
/** These models take the speakers from the text; later ones have a field for them. */
const LABELLED_MODELS = /^gemini-(?:2\.5|3\.1)-/;

export function encodeGoogleLine(line: SpokenLine, { speed }: { readonly speed: number }): SpeechCall {
  refuseSpeed(speed);
  return { text: line.text, voice: line.voice ?? DEFAULT_VOICE, outputFormat: undefined };
}

/** A dialogue in one call, in which the voices respond to each other; parts spoken separately cannot. */
export function encodeGoogleTogether(
  upstreamModel: string,
  { lines, speed }: SpeechRequest,
): SpeechCall | null {
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
