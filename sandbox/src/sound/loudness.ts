import { type Biquad, filterInPlace } from "./biquad.ts";
import type { Pcm } from "./pcm.ts";

const BLOCK_SECONDS = 0.4;
const STEP_SECONDS = 0.1;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;
const OFFSET_LUFS = -0.691;

/**
 * Perceived loudness after ITU-R BS.1770: weighted by frequency, pauses ignored. Audio shorter than a block is measured
 * as a whole; silence is -Infinity.
 */
export function loudnessLufs(pcm: Pcm): number {
  const powers = blockPowers(pcm);
  const loud = powers.filter((power) => lufsOf(power) > ABSOLUTE_GATE_LUFS);
  if (loud.length === 0) return Number.NEGATIVE_INFINITY;
  const gate = lufsOf(mean(loud)) + RELATIVE_GATE_LU;
  return lufsOf(mean(loud.filter((power) => lufsOf(power) > gate)));
}

function lufsOf(power: number): number {
  return OFFSET_LUFS + 10 * Math.log10(power);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function blockPowers({ channels, sampleRate }: Pcm): number[] {
  const step = Math.round(sampleRate * STEP_SECONDS);
  const steps = Math.max(1, Math.ceil(channels[0].length / step));
  const energies = new Float64Array(steps);
  for (const samples of channels) {
    const weighted = samples.slice();
    filterInPlace(weighted, earShelf(sampleRate));
    filterInPlace(weighted, earHighPass(sampleRate));
    for (let block = 0; block < steps; block++) {
      energies[block] = (energies[block] ?? 0) + energyOf(weighted, block * step, (block + 1) * step);
    }
  }
  const perBlock = Math.min(Math.round(BLOCK_SECONDS / STEP_SECONDS), steps);
  const powers: number[] = [];
  for (let first = 0; first + perBlock <= steps; first++) {
    let energy = 0;
    for (let at = first; at < first + perBlock; at++) energy += energies[at] ?? 0;
    powers.push(energy / (Math.min(perBlock * step, channels[0].length) || 1));
  }
  return powers;
}

function energyOf(samples: Float32Array, from: number, to: number): number {
  const end = Math.min(to, samples.length);
  let energy = 0;
  for (let at = from; at < end; at++) {
    const sample = samples[at] ?? 0;
    energy += sample * sample;
  }
  return energy;
}

/** The standard specifies both filters for 48 kHz only; these come from their analogue prototypes, for any rate. */
function earShelf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function earHighPass(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
