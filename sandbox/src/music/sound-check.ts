import { loudnessLufs } from "../sound/loudness.ts";
import { CHANNELS, channelOf, perform } from "./performance.ts";
import type { Note, Score } from "./score.ts";

/** Without effects, and up to 8 kHz: enough to measure loudness, for a fraction of the work. */
const SAMPLE_RATE = 16_000;
const LONGEST_SECONDS = 4;
const CHECK_VOLUME = 100;
/** Assumed for a part that does not play in the measured excerpt. */
const USUAL_LUFS = -26;
const MAX_VOLUME = 127;

/**
 * Instruments of a sound bank differ by 20 dB, so volumes cannot be fixed in advance: each part is measured alone, then set to the level of its recipe.
 */
export async function balance(score: Score): Promise<Score> {
  const heard = await listen(score, score.fullestBeat);
  const wishes = score.parts.map(({ levelDb }, part) => levelDb - (heard[part] ?? USUAL_LUFS));
  const loudest = Math.max(...wishes);
  const parts = score.parts.map((part, at) => {
    // The volume controller is quadratic (40 log10 of its value). The part that needs the most gets the maximum.
    const volume = MAX_VOLUME * 10 ** (((wishes[at] ?? loudest) - loudest) / 40);
    return { ...part, volume: Math.max(1, Math.round(volume)) };
  });
  return { ...score, parts };
}

async function listen(score: Score, fromBeat: number): Promise<(number | undefined)[]> {
  const lengthBeats = (LONGEST_SECONDS * score.bpm) / 60;
  const excerpt: Score = {
    ...score,
    parts: score.parts.map((part) => ({ ...part, volume: CHECK_VOLUME })),
    notes: score.notes.flatMap((note) => moved(note, fromBeat, lengthBeats)),
    turns: [],
  };
  const samples = Math.round(Math.min(LONGEST_SECONDS, score.durationMs / 1000) * SAMPLE_RATE);
  const outputs = Array.from({ length: CHANNELS }, () => [
    new Float32Array(samples),
    new Float32Array(samples),
  ]);
  const unused = new Float32Array(samples);
  await perform(excerpt, { sampleRate: SAMPLE_RATE, samples, hasEffects: false }, (synth, from, count) =>
    synth.processSplit(outputs, unused, unused, from, count),
  );
  return score.parts.map(({ isDrums }, part) => {
    const [left, right] = outputs[channelOf(part, isDrums)] ?? [];
    if (left === undefined || right === undefined) return undefined;
    const lufs = loudnessLufs({ sampleRate: SAMPLE_RATE, channels: [left, right] });
    return Number.isFinite(lufs) ? lufs : undefined;
  });
}

function moved(note: Note, fromBeat: number, lengthBeats: number): Note[] {
  const startBeat = note.startBeat - fromBeat;
  return startBeat > -0.1 && startBeat < lengthBeats ? [{ ...note, startBeat: Math.max(startBeat, 0) }] : [];
}
