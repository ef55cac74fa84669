import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRandom } from "../random.ts";
import { CEILING, levelInPlace, limitInPlace, TARGET_LUFS } from "./level.ts";
import { loudnessLufs } from "./loudness.ts";
import { peakOf } from "./pcm.ts";
import { sine } from "./testing.ts";

const sampleRate = 24_000;

describe("level", () => {
  test.each([0.001, 0.02, 0.9])(
    "a tone of amplitude %d gets the common loudness, as far as the maximum gain allows",
    (amplitude) => {
      const channels = [sine({ sampleRate, frequencyHz: 440, seconds: 1, amplitude })] as const;
      levelInPlace({ sampleRate, channels });
      const wanted = amplitude < 0.01 ? -34 : TARGET_LUFS;
      expect(Math.abs(loudnessLufs({ sampleRate, channels }) - wanted)).toBeLessThan(1.5);
    },
  );

  test("silence stays silence", () => {
    const channels = [new Float32Array(5000)] as const;
    levelInPlace({ sampleRate, channels });
    expect(peakOf({ sampleRate, channels })).toBe(0);
  });

  test("limiting keeps every sample below the ceiling, with its sign", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 3000 }), (seed, length) => {
        const random = createRandom(seed);
        const samples = new Float32Array(length).map(() => (random() - 0.5) * (random() < 0.02 ? 40 : 1));
        const limited = samples.slice();
        limitInPlace({ sampleRate, channels: [limited] }, CEILING);
        for (const [at, sample] of limited.entries()) {
          expect(Math.abs(sample)).toBeLessThanOrEqual(CEILING * 1.0001);
          expect(sample * (samples[at] ?? 0)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("limiting leaves samples below the ceiling unchanged", () => {
    const samples = sine({ sampleRate, frequencyHz: 200, seconds: 0.2, amplitude: 0.5 });
    const limited = samples.slice();
    limitInPlace({ sampleRate, channels: [limited] }, CEILING);
    expect([...limited]).toEqual([...samples]);
  });
});
