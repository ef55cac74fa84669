import { describe, expect, test } from "bun:test";
import { CEILING } from "../sound/level.ts";
import { loudnessLufs } from "../sound/loudness.ts";
import { type Pcm, peakOf } from "../sound/pcm.ts";
import { readMp3, rmsOf } from "../sound/testing.ts";
import { composeSound, renderMusic } from "./render-music.ts";
import { STYLE_NAMES } from "./styles/style-words.ts";

const SAMPLE_RATE = 44_100;

function windows(samples: Float32Array, size: number): number[] {
  const levels: number[] = [];
  for (let from = 0; from + size <= samples.length; from += size)
    levels.push(rmsOf(samples.subarray(from, from + size)));
  return levels;
}

function differenceOf({ channels: [left, right = left] }: Pcm): Float32Array {
  return left.map((sample, at) => sample - (right[at] ?? 0));
}

describe("music", () => {
  test.each([...STYLE_NAMES])(
    "%s: has the requested length and the common loudness, in stereo, without gaps, clipping or offset",
    async (style) => {
      const pcm = await composeSound({ prompt: "a short piece", style, durationMs: 3000 });
      const [left] = pcm.channels;
      expect(left.length).toBe(3 * SAMPLE_RATE);
      expect(Math.abs(loudnessLufs(pcm) + 16)).toBeLessThan(1);
      expect(peakOf(pcm)).toBeLessThanOrEqual(CEILING * 1.001);
      expect(Math.abs(left.reduce((sum, sample) => sum + sample, 0) / left.length)).toBeLessThan(0.001);
      expect(Math.min(...windows(left.subarray(0, 2 * SAMPLE_RATE), SAMPLE_RATE / 4))).toBeGreaterThan(0.004);
      expect(rmsOf(differenceOf(pcm)) / rmsOf(left)).toBeGreaterThan(0.05);
    },
  );

  test("ends in silence after a chord that fades", async () => {
    const {
      channels: [left],
    } = await composeSound({ prompt: "a march", style: "classical", durationMs: 3000 });
    const levels = windows(left, SAMPLE_RATE / 10);
    expect(levels.at(-1)).toBeLessThan(0.01);
    expect(levels.at(-3)).toBeLessThan(levels.at(-12) ?? 0);
    expect(Math.abs(left.at(-1) ?? 1)).toBeLessThan(1e-4);
  });

  test.each([1000, 2345])("of %d ms is an MP3 of that length, the same each time", async (durationMs) => {
    const job = {
      kind: "music",
      request: { prompt: "x", style: "ambient", durationMs, referenceImages: [] },
    } as const;
    const made = await renderMusic(job);
    expect(made.durationMs).toBe(durationMs);
    const { seconds, channels, sampleRate } = readMp3(made.bytes);
    expect({ channels, sampleRate }).toEqual({ channels: 2, sampleRate: SAMPLE_RATE });
    expect(Math.abs(seconds - durationMs / 1000)).toBeLessThan(0.1);
    expect((await renderMusic(job)).bytes).toEqual(made.bytes);
  });
});
