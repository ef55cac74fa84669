/** Two poles and two zeros, normalised so that a0 is 1. */
export type Biquad = {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
};

/** In place, starting from silence. Sums are kept as doubles: with floats, a filter of low frequency would drift. */
export function filterInPlace(samples: Float32Array, { b0, b1, b2, a1, a2 }: Biquad): void {
  let first = 0;
  let second = 0;
  for (let at = 0; at < samples.length; at++) {
    const input = samples[at] ?? 0;
    const output = b0 * input + first;
    first = b1 * input - a1 * output + second;
    second = b2 * input - a2 * output;
    samples[at] = output;
  }
}

type Corner = { readonly sampleRate: number; readonly frequencyHz: number; readonly q?: number };

function angles({ sampleRate, frequencyHz, q = Math.SQRT1_2 }: Corner) {
  const omega = (2 * Math.PI * frequencyHz) / sampleRate;
  return { cosine: Math.cos(omega), alpha: Math.sin(omega) / (2 * q) };
}

export function highPass(corner: Corner): Biquad {
  const { cosine, alpha } = angles(corner);
  const a0 = 1 + alpha;
  const edge = (1 + cosine) / 2 / a0;
  return { b0: edge, b1: -2 * edge, b2: edge, a1: (-2 * cosine) / a0, a2: (1 - alpha) / a0 };
}

/** Boosts or cuts everything above the frequency. */
export function highShelf(corner: Corner & { readonly gainDb: number }): Biquad {
  const { cosine, alpha } = angles(corner);
  const gain = 10 ** (corner.gainDb / 40);
  const slope = 2 * Math.sqrt(gain) * alpha;
  const a0 = gain + 1 - (gain - 1) * cosine + slope;
  return {
    b0: (gain * (gain + 1 + (gain - 1) * cosine + slope)) / a0,
    b1: (-2 * gain * (gain - 1 + (gain + 1) * cosine)) / a0,
    b2: (gain * (gain + 1 + (gain - 1) * cosine - slope)) / a0,
    a1: (2 * (gain - 1 - (gain + 1) * cosine)) / a0,
    a2: (gain + 1 - (gain - 1) * cosine - slope) / a0,
  };
}
