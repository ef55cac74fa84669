import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chordOf } from "./chord.ts";
import { pitchClass, SCALES, type ScaleName, scalePitches } from "./scale.ts";
import { voiceChord } from "./voicing.ts";

describe("a chord", () => {
  test.each([
    ["I", [0, 4, 7]],
    ["vi7", [9, 0, 4, 7]],
    ["IVmaj7", [5, 9, 0, 4]],
    ["iv", [5, 8, 0]],
    ["bVII", [10, 2, 5]],
    ["iim7b5", [2, 5, 8, 0]],
    ["V7", [7, 11, 2, 5]],
    ["iii", [4, 7, 11]],
    ["i5", [0, 7]],
  ])("%s in C has its root and its tones", (symbol, tones) => {
    expect(chordOf(symbol, 0)).toEqual({ root: tones[0] ?? -1, tones });
  });

  test("is transposed with its key", () => {
    expect(chordOf("V7", 2).tones).toEqual([9, 1, 4, 7]);
  });
});

describe("a voicing", () => {
  const symbol = fc.constantFrom("I", "ii7", "V7", "vi", "IVmaj9", "bVII", "iadd9", "Vsus4");

  test("has every tone of the chord, within its range, and moves less than an octave", () => {
    fc.assert(
      fc.property(symbol, symbol, fc.integer({ min: 0, max: 11 }), (one, two, tonic) => {
        const range = [50, 74] as const;
        const first = voiceChord(chordOf(one, tonic), null, range);
        const chord = chordOf(two, tonic);
        const second = voiceChord(chord, first, range);
        expect(new Set(second.map(pitchClass))).toEqual(new Set(chord.tones));
        for (const pitch of second) expect(pitch).toBeWithin(50, 75);
        const nearest = second.map((pitch) => Math.min(...first.map((before) => Math.abs(before - pitch))));
        expect(Math.max(...nearest)).toBeLessThan(12);
      }),
    );
  });
});

test.each(Object.keys(SCALES) as ScaleName[])("%s has its tonic in every octave", (scale) => {
  const pitches = scalePitches(7, scale, [48, 84]);
  expect(pitches.filter((pitch) => pitchClass(pitch) === 7)).toEqual([55, 67, 79]);
});
