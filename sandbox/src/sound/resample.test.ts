import { describe, expect, test } from "bun:test";
import { resample } from "./resample.ts";
import { rmsOf, sine } from "./testing.ts";

const middle = (samples: Float32Array) => samples.subarray(samples.length / 4, (samples.length * 3) / 4);
const rising = (samples: Float32Array) =>
  samples.reduce((count, sample, at) => count + (sample > 0 && (samples[at - 1] ?? 1) <= 0 ? 1 : 0), 0);

describe("resample", () => {
  test.each([0.5, 0.9, 1.5, 1.6])(
    "times %d changes the length, but not the pitch and the loudness",
    (ratio) => {
      const tone = sine({ sampleRate: 16_000, frequencyHz: 500, seconds: 1 });
      const out = resample(tone, ratio);
      expect(out.length).toBe(Math.round(16_000 * ratio));
      expect(Math.abs(rising(out) - 500)).toBeLessThanOrEqual(2);
      expect(rmsOf(middle(out))).toBeCloseTo(Math.SQRT1_2, 2);
    },
  );

  test("frequencies too high for the new rate are removed, not aliased", () => {
    const tone = sine({ sampleRate: 16_000, frequencyHz: 6500, seconds: 0.5 });
    expect(rmsOf(middle(resample(tone, 0.5)))).toBeLessThan(0.01);
  });
});
