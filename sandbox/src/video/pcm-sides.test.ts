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

describe("the stereo mix of uncompressed audio in WAV channel order", () => {
  test.each([
    ["mono on both sides", [PEAK], [FULL, FULL]],
    ["stereo", [PEAK, 0], [FULL, 0]],
    ["the centre of three", [0, 0, PEAK], [LESS, LESS]],
    ["the rear left of four", [0, 0, PEAK, 0], [LESS, 0]],
    ["the rear right of five", [0, 0, 0, 0, PEAK], [0, LESS]],
    ["the centre of 5.1", [0, 0, PEAK, 0, 0, 0], [LESS, LESS]],
    ["the low-frequency effects of 5.1 nowhere", [0, 0, 0, PEAK, 0, 0], [0, 0]],
    ["the rear left of 5.1", [0, 0, 0, 0, PEAK, 0], [LESS, 0]],
    ["the rear centre of 6.1", [0, 0, 0, 0, PEAK, 0, 0], [LESS, LESS]],
    ["the side right of 7.1", [0, 0, 0, PEAK, 0, 0, 0, PEAK], [0, LESS]],
  ])("places %s", async (_, channels, [left = 0, right = 0]) => {
    const [onLeft, onRight] = await peaksOf(channels);
    expect(onLeft).toBeCloseTo(left, 3);
    expect(onRight).toBeCloseTo(right, 3);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e30])(
    "keeps all other samples beside one of %p",
    async (broken) => {
      const samples = Array.from({ length: 2_205 * 6 }, (_, at): number => (at % 6 === 2 ? FULL : 0));
      // A sample of the low-frequency effects channel.
      samples[9] = broken;
      const [left, right] = await peaksIn(floatWave(6, samples));
      expect(left).toBeCloseTo(LESS, 3);
      expect(right).toBeCloseTo(LESS, 3);
    },
  );

  test("stays within full scale if all channels are loud, and keeps the ratio of its sides", async () => {
    const [left, right] = await peaksOf([32_000, 16_000, 32_000, 32_000, 32_000, 16_000]);
    expect(left).toBeCloseTo(1, 3);
    expect(right).toBeCloseTo((0.5 + 1.5 * Math.SQRT1_2) / (1 + 2 * Math.SQRT1_2), 3);
  });
});
