import type { SpokenLine } from "../../../gateway/src/contract/index.ts";
import { RenderRefusal } from "../media/render-refusal.ts";
import type { Render, SpeechJob } from "../media/renderer.ts";
import { createMp3Encoder, MP3_MEDIA_TYPE } from "../sound/encode-mp3.ts";
import { levelInPlace } from "../sound/level.ts";
import { SPEECH_SAMPLE_RATE, speakUtterance } from "./speak-utterance.ts";
import { readAloud } from "./text/read-aloud.ts";
import { spokenMs } from "./text/spoken-time.ts";
import { findVoice, VOICES, type Voice } from "./voices.ts";

const LEAD_MS = 120;
const TAIL_MS = 250;
const SPEAKER_CHANGE_MS = 320;
/** Longer texts are refused before anything is synthesized. The catalog's entry has the same limit. */
export const MAX_SPEECH_CHARACTERS = 5000;
/**
 * Symbols and digits are longer when spoken, and slow speech is long. A minute takes two seconds of a core, so all of
 * it is done before the caller loses patience or the lane times out. Ordinary text of the maximum length takes six
 * minutes at normal speed.
 */
const MAX_MINUTES = 20;

/** Encoded sentence by sentence: ten minutes of speech take no more memory than the longest sentence. */
export const renderSpeech: Render<SpeechJob> = async ({ request }) => {
  const encoder = await createMp3Encoder({ sampleRate: SPEECH_SAMPLE_RATE, channels: 1, bitrate: 64 });
  for await (const samples of speak(request.lines, request.speed)) encoder.add([samples]);
  return { ...encoder.finish(), mediaType: MP3_MEDIA_TYPE, width: null, height: null };
};

/**
 * Sentences and the silence between them, in order. Each sentence is normalised separately, so that no speaker is
 * louder than another.
 */
export async function* speak(lines: readonly SpokenLine[], speed: number): AsyncGenerator<Float32Array> {
  const characters = lines.reduce((sum, line) => sum + Array.from(line.text).length, 0);
  if (characters > MAX_SPEECH_CHARACTERS) {
    throw new RenderRefusal(`The sandbox reads at most ${MAX_SPEECH_CHARACTERS} characters.`);
  }
  const spoken = lines.map((line) => ({ voice: voiceOf(line), sentences: readAloud(line.text) }));
  const minutes = spoken.reduce((sum, { sentences }) => sum + spokenMs(sentences), 0) / speed / 60_000;
  if (minutes > MAX_MINUTES) {
    throw new RenderRefusal(
      `The sandbox speaks for at most ${MAX_MINUTES} minutes, and this takes about ${Math.ceil(minutes)}: send less text, or a higher speed.`,
    );
  }
  yield silence(LEAD_MS);
  for (const [index, { voice, sentences }] of spoken.entries()) {
    if (index > 0) yield silence(SPEAKER_CHANGE_MS / speed);
    for (const [at, { text, pauseMs }] of sentences.entries()) {
      const samples = await speakUtterance(text, voice, speed);
      levelInPlace({ sampleRate: SPEECH_SAMPLE_RATE, channels: [samples] });
      yield samples;
      // After the last one comes the next speaker's pause, or the end.
      if (at < sentences.length - 1) yield silence(pauseMs / speed);
    }
  }
  yield silence(TAIL_MS);
}

function voiceOf(line: SpokenLine): Voice {
  const voice = findVoice(line.voice);
  if (voice !== undefined) return voice;
  throw new RenderRefusal(`The sandbox's voices are ${VOICES.map(({ name }) => name).join(", ")}.`);
}

function silence(durationMs: number): Float32Array {
  return new Float32Array(Math.round((SPEECH_SAMPLE_RATE * durationMs) / 1000));
}
