import type { Pcm } from "../sound/pcm.ts";
import { perform } from "./performance.ts";
import type { Score } from "./score.ts";

const MUSIC_SAMPLE_RATE = 44_100;

/** In stereo and with reverb; exactly as long as the score. */
export async function playScore(score: Score): Promise<Pcm> {
  const samples = Math.round((score.durationMs * MUSIC_SAMPLE_RATE) / 1000);
  const left = new Float32Array(samples);
  const right = new Float32Array(samples);
  await perform(score, { sampleRate: MUSIC_SAMPLE_RATE, samples, hasEffects: true }, (synth, from, count) =>
    synth.process(left, right, from, count),
  );
  return { sampleRate: MUSIC_SAMPLE_RATE, channels: [left, right] };
}
