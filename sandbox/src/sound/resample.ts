const HALF_TAPS = 16;
const PHASES = 512;
/** Leaves the last part of the band to the filter's slope. */
const PASS_BAND = 0.92;

/**
 * Resamples to `ratio` times as many samples with a windowed sinc. Frequencies beyond the new rate are filtered out
 * first, so that nothing aliases.
 */
export function resample(samples: Float32Array, ratio: number): Float32Array {
  const kernel = createKernel(Math.min(1, ratio) * PASS_BAND);
  const output = new Float32Array(Math.round(samples.length * ratio));
  for (let at = 0; at < output.length; at++) {
    const place = at / ratio;
    const whole = Math.floor(place);
    const phase = Math.round((place - whole) * PHASES) * HALF_TAPS * 2;
    let sum = 0;
    for (let tap = 0; tap < HALF_TAPS * 2; tap++) {
      sum += (samples[whole + tap - HALF_TAPS + 1] ?? 0) * (kernel[phase + tap] ?? 0);
    }
    output[at] = sum;
  }
  return output;
}

function createKernel(cutoff: number): Float32Array {
  const width = HALF_TAPS * 2;
  const kernel = new Float32Array((PHASES + 1) * width);
  for (let phase = 0; phase <= PHASES; phase++) {
    let total = 0;
    for (let tap = 0; tap < width; tap++) {
      const distance = tap - HALF_TAPS + 1 - phase / PHASES;
      const value = cutoff * sinc(cutoff * distance) * window(distance / HALF_TAPS);
      kernel[phase * width + tap] = value;
      total += value;
    }
    for (let tap = 0; tap < width; tap++) {
      kernel[phase * width + tap] = (kernel[phase * width + tap] ?? 0) / total;
    }
  }
  return kernel;
}

function sinc(value: number): number {
  return value === 0 ? 1 : Math.sin(Math.PI * value) / (Math.PI * value);
}

/** A Blackman window from -1 to 1. */
function window(place: number): number {
  if (Math.abs(place) >= 1) return 0;
  return 0.42 + 0.5 * Math.cos(Math.PI * place) + 0.08 * Math.cos(2 * Math.PI * place);
}
