const WINDOW_SAMPLES = 160;
/** Kept before the first and after the last sound: soft beginnings like h and f are below any threshold. */
const MARGIN_WINDOWS = 4;

/** Removes the silence around speech, which differs between speakers; we set the pauses ourselves. */
export function trimSilence(samples: Float32Array): Float32Array {
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
