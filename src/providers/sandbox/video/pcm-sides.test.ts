import { describe, expect, test } from "bun:test";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { readSides } from "./pcm-sides.ts";
import { wave } from "./testing.ts";

function peaksOf(channels: readonly number[]): Promise<number[]> {
  return peaksIn(wave(0.1, channels));
}

async function peaksIn(file: Uint8Array): Promise<number[]> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const track = await input.getPrimaryAudioTrack();
  const sides = track && (await readSides(track, 10_000));
  if (!sides) throw new Error("it is no sound that is read here");
  expect(sides.map(({ length }) => length)).toEqual([2_205, 2_205]);
  return sides.map((side) => side.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0));
}

/** Like `wave`, with floating-point samples. */
function floatWave(channels: number, samples: readonly number[]): Uint8Array {
  const plain = wave(
    0,
    Array.from({ length: channels }, () => 0),
  );
  const file = new Uint8Array(plain.length + samples.length * 4);
  file.set(plain);
  const view = new DataView(file.buffer);
  view.setUint32(4, file.length - 8, true);
  view.setUint16(20, 3, true);
  view.setUint32(28, 22_050 * channels * 4, true);
  view.setUint16(32, channels * 4, true);
  view.setUint16(34, 32, true);
  view.setUint32(40, samples.length * 4, true);
  for (const [at, sample] of samples.entries()) view.setFloat32(44 + at * 4, sample, true);
  return file;
}

const PEAK = 8_192;
const FULL = 0.25;
const LESS = FULL * Math.SQRT1_2;

describe("uncompressed sound of several channels, in the order of WAV", () => {
  test.each([
    ["one, on both sides", [PEAK], [FULL, FULL]],
    ["two", [PEAK, 0], [FULL, 0]],
    ["the centre of three", [0, 0, PEAK], [LESS, LESS]],
    ["the left of four behind", [0, 0, PEAK, 0], [LESS, 0]],
    ["the right of five behind", [0, 0, 0, 0, PEAK], [0, LESS]],
    ["the centre of 5.1", [0, 0, PEAK, 0, 0, 0], [LESS, LESS]],
    ["the deep effects of 5.1, which have no place", [0, 0, 0, PEAK, 0, 0], [0, 0]],
    ["the left of 5.1 behind", [0, 0, 0, 0, PEAK, 0], [LESS, 0]],
    ["the middle of 6.1 behind", [0, 0, 0, 0, PEAK, 0, 0], [LESS, LESS]],
    ["the right of 7.1 at the side", [0, 0, 0, PEAK, 0, 0, 0, PEAK], [0, LESS]],
  ])("%s", async (_, channels, [left = 0, right = 0]) => {
    const [onLeft, onRight] = await peaksOf(channels);
    expect(onLeft).toBeCloseTo(left, 3);
    expect(onRight).toBeCloseTo(right, 3);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e30])(
    "has all of its other samples beside %p",
    async (broken) => {
      const samples = Array.from({ length: 2_205 * 6 }, (_, at): number => (at % 6 === 2 ? FULL : 0));
      // A sample of the low-frequency effects channel.
      samples[9] = broken;
      const [left, right] = await peaksIn(floatWave(6, samples));
      expect(left).toBeCloseTo(LESS, 3);
      expect(right).toBeCloseTo(LESS, 3);
    },
  );

  test("is full at most where all of them are, and keeps its sides", async () => {
    const [left, right] = await peaksOf([32_000, 16_000, 32_000, 32_000, 32_000, 16_000]);
    expect(left).toBeCloseTo(1, 3);
    expect(right).toBeCloseTo((0.5 + 1.5 * Math.SQRT1_2) / (1 + 2 * Math.SQRT1_2), 3);
  });
});
