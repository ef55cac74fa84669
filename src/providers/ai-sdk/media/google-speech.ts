import type { SpeechRequest, SpokenLine } from "../../media/media-contract.ts";
import { rejected } from "./model-call.ts";
import type { SpeechCall } from "./speech-provider.ts";

/** What the service takes in one call; more voices are read one by one and joined. */
const VOICES_TOGETHER = 2;
/** The library's own choice where nobody names one. */
const DEFAULT_VOICE = "Kore";
/** These read who speaks from the text; later ones are told apart from it. */
const LABELLED_MODELS = /^gemini-(?:2\.5|3\.1)-/;

export function encodeGoogleLine(line: SpokenLine, { speed }: { readonly speed: number }): SpeechCall {
  refuseSpeed(speed);
  return { text: line.text, voice: line.voice ?? DEFAULT_VOICE, outputFormat: undefined };
}

/** A dialogue in one call: the voices answer each other, which parts that are read alone cannot. */
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
