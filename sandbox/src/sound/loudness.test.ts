import { describe, expect, test } from "bun:test";
import { loudnessLufs } from "./loudness.ts";
import { sine } from "./testing.ts";

describe("loudness", () => {
  test.each([24_000, 44_100, 48_000])(
    "a full sine of 997 Hz is -3.0 LUFS at %d Hz, as the standard says",
    (sampleRate) => {
      const tone = sine({ sampleRate, frequencyHz: 997, seconds: 3 });
      expect(loudnessLufs({ sampleRate, channels: [tone] })).toBeCloseTo(-3.01, 1);
    },
  );

  test("pauses do not count", () => {
    const sampleRate = 24_000;
    const tone = sine({ sampleRate, frequencyHz: 997, seconds: 3 });
    const paused = new Float32Array(tone.length * 3);
    paused.set(tone, tone.length);
    const difference =
      loudnessLufs({ sampleRate, channels: [tone] }) - loudnessLufs({ sampleRate, channels: [paused] });
    expect(Math.abs(difference)).toBeLessThan(0.5);
  });

  test("audio shorter than a block is measured too, and silence is minus infinity", () => {
    const sampleRate = 24_000;
    const short = sine({ sampleRate, frequencyHz: 997, seconds: 0.05 });
    expect(loudnessLufs({ sampleRate, channels: [short] })).toBeGreaterThan(-6);
    expect(loudnessLufs({ sampleRate, channels: [new Float32Array(9)] })).toBe(Number.NEGATIVE_INFINITY);
    expect(loudnessLufs({ sampleRate, channels: [new Float32Array(0)] })).toBe(Number.NEGATIVE_INFINITY);
  });
});
