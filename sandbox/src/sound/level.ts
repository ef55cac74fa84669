import { loudnessLufs } from "./loudness.ts";
import { type Pcm, peakOf } from "./pcm.ts";

/** About the level of streaming services. */
export const TARGET_LUFS = -16;
/** MP3 encoding raises peaks a little, so this leaves headroom below full scale. */
export const CEILING = 0.8;
/** More would amplify near silence into noise. */
const MAX_GAIN_DB = 30;

/** Limiting peaks lowers the loudness, so it is raised once more. */
const ROUNDS = 2;

/** Normalises the loudness, in place, and keeps peaks below the ceiling. */
export function levelInPlace(pcm: Pcm): void {
  for (let round = 0; round < ROUNDS; round++) {
    const loudness = loudnessLufs(pcm);
    if (!Number.isFinite(loudness)) return;
    const gain = 10 ** (Math.min(TARGET_LUFS - loudness, MAX_GAIN_DB) / 20);
    for (const samples of pcm.channels) {
      for (let at = 0; at < samples.length; at++) samples[at] = (samples[at] ?? 0) * gain;
    }
    if (peakOf(pcm) <= CEILING) return;
    limitInPlace(pcm, CEILING);
  }
}

const BLOCK_SAMPLES = 32;
/** About 6 ms to either side at 44.1 kHz: quick enough not to pump, slow enough not to crackle. */
const REACH_BLOCKS = 8;

/**
 * No sample stays above the ceiling. Each block of samples needs a gain; the minimum within reach is smoothed over the
 * same reach, so the gain is already reduced when a peak comes and never above what any block needs.
 */
export function limitInPlace({ channels }: Pcm, ceiling: number): void {
  const needed = neededGains(channels, ceiling);
  const gains = averages(least(needed, REACH_BLOCKS + 1), REACH_BLOCKS);
  for (let block = 0; block < gains.length; block++) {
    const here = gains[block] ?? 1;
    const before = gains[block - 1] ?? here;
    const after = gains[block + 1] ?? here;
    if (before === 1 && here === 1 && after === 1) continue;
    for (const samples of channels) glide(samples, block * BLOCK_SAMPLES, { before, here, after });
  }
}

/** A block has its gain in its middle and is interpolated halfway to its neighbours. */
function glide(
  samples: Float32Array,
  from: number,
  gains: { readonly before: number; readonly here: number; readonly after: number },
): void {
  const half = BLOCK_SAMPLES / 2;
  for (let at = 0; at < BLOCK_SAMPLES && from + at < samples.length; at++) {
    const away = (at - half) / BLOCK_SAMPLES;
    const other = away < 0 ? gains.before : gains.after;
    samples[from + at] = (samples[from + at] ?? 0) * (gains.here + (other - gains.here) * Math.abs(away));
  }
}

function neededGains(channels: Pcm["channels"], ceiling: number): Float64Array {
  const gains = new Float64Array(Math.ceil(channels[0].length / BLOCK_SAMPLES)).fill(1);
  for (const samples of channels) {
    for (let at = 0; at < samples.length; at++) {
      const size = Math.abs(samples[at] ?? 0);
      const block = (at / BLOCK_SAMPLES) | 0;
      if (size * (gains[block] ?? 1) > ceiling) gains[block] = ceiling / size;
    }
  }
  return gains;
}

function least(values: Float64Array, reach: number): Float64Array {
  return values.map((_, at) => {
    let lowest = 1;
    for (let near = Math.max(0, at - reach); near <= at + reach && near < values.length; near++) {
      lowest = Math.min(lowest, values[near] ?? 1);
    }
    return lowest;
  });
}

function averages(values: Float64Array, reach: number): Float64Array {
  return values.map((_, at) => {
    let sum = 0;
    for (let near = at - reach; near <= at + reach; near++) {
      sum += values[Math.min(Math.max(near, 0), values.length - 1)] ?? 1;
    }
    return sum / (2 * reach + 1);
  });
}
