import { describe, expect, test } from "bun:test";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { readSides } from "./pcm-sides.ts";
import { wave } from "./testing.ts";

async function peaksOf(channels: readonly number[]): Promise<number[]> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(wave(0.1, channels)) });
  const track = await input.getPrimaryAudioTrack();
  const sides = track && (await readSides(track, 10_000));
  if (!sides) throw new Error("it is no sound that is read here");
  expect(sides.map(({ length }) => length)).toEqual([2_205, 2_205]);
  return sides.map((side) => side.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0));
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

  test("is full at most where all of them are, and keeps its sides", async () => {
    const [left, right] = await peaksOf([32_000, 16_000, 32_000, 32_000, 32_000, 16_000]);
    expect(left).toBeCloseTo(1, 3);
    expect(right).toBeCloseTo((0.5 + 1.5 * Math.SQRT1_2) / (1 + 2 * Math.SQRT1_2), 3);
  });
});
