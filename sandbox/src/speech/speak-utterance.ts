import { filterInPlace, highPass, highShelf } from "../sound/biquad.ts";
import { fadeEdges } from "../sound/fade.ts";
import { resample } from "../sound/resample.ts";
import { FLITE_SAMPLE_RATE, synthesize } from "./flite.ts";
import { trimSilence } from "./trim-silence.ts";
import type { Voice } from "./voices.ts";

export const SPEECH_SAMPLE_RATE = 24_000;
const EDGE_MS = 4;

/**
 * One utterance in a voice. Playing the speaker faster than recorded makes the head sound smaller and the pitch higher,
 * so the pitch and pace requested from the synthesizer compensate for that.
 */
export async function speakUtterance(text: string, voice: Voice, speed: number): Promise<Float32Array> {
  const spoken = await synthesize({
    text,
    speaker: voice.speaker,
    pitchHz: voice.pitchHz === null ? null : voice.pitchHz / voice.size,
    melodyHz: voice.melodyHz === null ? null : voice.melodyHz / voice.size,
    stretch: voice.size / (speed * voice.pace),
  });
  const ratio = SPEECH_SAMPLE_RATE / (FLITE_SAMPLE_RATE * voice.size);
  const samples = resample(trimSilence(spoken), ratio);
  filterInPlace(samples, highPass({ sampleRate: SPEECH_SAMPLE_RATE, frequencyHz: 70 }));
  filterInPlace(
    samples,
    highShelf({ sampleRate: SPEECH_SAMPLE_RATE, frequencyHz: 2800, gainDb: voice.presenceDb }),
  );
  const edge = Math.round((SPEECH_SAMPLE_RATE * EDGE_MS) / 1000);
  fadeEdges(samples, edge, edge * 4);
  return samples;
}
