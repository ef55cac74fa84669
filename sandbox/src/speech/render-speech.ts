import type { SpokenLine } from "../../../gateway/src/contract/index.ts";
import { RenderRefusal } from "../media/render-refusal.ts";
import type { Render, SpeechJob } from "../media/renderer.ts";
import { filterInPlace, highPass, highShelf } from "../sound/biquad.ts";
import { createMp3Encoder, MP3_MEDIA_TYPE } from "../sound/encode-mp3.ts";
import { fadeEdges } from "../sound/fade.ts";
import { levelInPlace } from "../sound/level.ts";
import { resample } from "../sound/resample.ts";
import { FLITE_SAMPLE_RATE, synthesize } from "./flite.ts";
import { readAloud } from "./text/read-aloud.ts";
import type { SpokenSentence } from "./text/sentences.ts";
import { findVoice, VOICES, type Voice } from "./voices.ts";

const WINDOW_SAMPLES = 160;
/** Kept before the first and after the last sound: soft beginnings like h and f are below any threshold. */
const MARGIN_WINDOWS = 4;

/** Removes the silence around speech, which differs between speakers; we set the pauses ourselves. */
function trimSilence(samples: Float32Array): Float32Array {
  const powers = windowPowers(samples);
  const threshold = Math.max(...powers, 0) * 10 ** (-48 / 10);
  const first = powers.findIndex((power) => power > threshold);
  if (first < 0) return samples.subarray(0, 0);
  const last = powers.findLastIndex((power) => power > threshold);
  return samples.subarray(
    Math.max(0, first - MARGIN_WINDOWS) * WINDOW_SAMPLES,
    Math.min(samples.length, (last + 1 + MARGIN_WINDOWS) * WINDOW_SAMPLES),
  );
}

function windowPowers(samples: Float32Array): number[] {
  const powers: number[] = [];
  for (let from = 0; from < samples.length; from += WINDOW_SAMPLES) {
    let energy = 0;
    for (const sample of samples.subarray(from, from + WINDOW_SAMPLES)) energy += sample * sample;
    powers.push(energy / WINDOW_SAMPLES);
  }
  return powers;
}

export const SPEECH_SAMPLE_RATE = 24_000;
const EDGE_MS = 4;

/**
 * One utterance in a voice. Playing the speaker faster than recorded makes the head sound smaller and the pitch higher,
 * so the pitch and pace requested from the synthesizer compensate for that.
 */
async function speakUtterance(text: string, voice: Voice, speed: number): Promise<Float32Array> {
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

/** Average of all voices. */
const LETTER_MS = 65;
/** Words without a vowel are spelled. */
const SPELLED_LETTER_MS = 400;
const COMMA_MS = 180;
const SHORTEST_SENTENCE_MS = 500;

/** The estimated duration at normal speed, pauses included. */
export function spokenMs(sentences: readonly SpokenSentence[]): number {
  return sentences.reduce((sum, { text, pauseMs }) => sum + sentenceMs(text) + pauseMs, 0);
}

function sentenceMs(text: string): number {
  const words = text.match(/[A-Za-z']+/g) ?? [];
  const commas = text.split(",").length - 1;
  const wordsMs = words.reduce((sum, word) => sum + wordMs(word), 0);
  return Math.max(SHORTEST_SENTENCE_MS, wordsMs + commas * COMMA_MS);
}

function wordMs(word: string): number {
  return /[aeiouy]/i.test(word) ? (word.length + 1) * LETTER_MS : word.length * SPELLED_LETTER_MS;
}

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
