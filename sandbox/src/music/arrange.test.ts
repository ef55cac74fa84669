import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { arrange } from "./arrange.ts";
import { readBrief } from "./brief/read-brief.ts";
import type { Note, Score } from "./score.ts";
import { STYLE_NAMES } from "./styles/style-words.ts";
import { STYLES } from "./styles/styles.ts";
import { chordOf } from "./theory/chord.ts";
import { pitchClass } from "./theory/scale.ts";

const wish = fc.record({
  prompt: fc.constantFrom("a tune", "sad and slow", "fast and happy", "epic", "x"),
  salt: fc.integer({ min: 0, max: 1000 }),
  style: fc.constantFrom(...STYLE_NAMES),
  durationMs: fc.integer({ min: 1000, max: 60_000 }),
});

function scoreOf({
  prompt,
  salt,
  style,
  durationMs,
}: {
  prompt: string;
  salt: number;
  style: string;
  durationMs: number;
}) {
  const brief = readBrief(`${prompt} ${salt}`, style, null);
  return { brief, score: arrange(brief, durationMs) };
}

const endBeatOf = (score: Score) => (score.durationMs / 60_000) * score.bpm;

describe("a score", () => {
  test("keeps its notes within its length and within the ranges of pitch and velocity", () => {
    fc.assert(
      fc.property(wish, (input) => {
        const { score } = scoreOf(input);
        expect(score.parts.length).toBeLessThanOrEqual(15);
        for (const note of score.notes) {
          expect(note.startBeat).toBeWithin(0, score.totalBeats + 1);
          expect(note.startBeat + note.lengthBeats).toBeLessThanOrEqual(endBeatOf(score) + 0.5);
          expect(note.lengthBeats).toBeGreaterThan(0);
          expect(note.velocity).toBeWithin(1, 128);
          expect(note.pitch).toBeWithin(20, 110);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("begins immediately and ends on the tonic chord, with its root in the bass", () => {
    fc.assert(
      fc.property(wish, (input) => {
        const { brief, score } = scoreOf(input);
        expect(Math.min(...score.notes.map(({ startBeat }) => startBeat))).toBeLessThan(0.6);
        const last = score.notes.filter(
          ({ part, startBeat }) => startBeat >= score.totalBeats - 1e-9 && !score.parts[part]?.isDrums,
        );
        const home = chordOf(STYLES[brief.style].ending[brief.key.mode], brief.key.tonic);
        for (const { pitch } of last) expect(home.tones).toContain(pitchClass(pitch));
        const lowest = Math.min(...last.map(({ pitch }) => pitch));
        expect(pitchClass(lowest)).toBe(home.root);
      }),
      { numRuns: 60 },
    );
  });

  test("is the same for the same prompt and different for another", () => {
    const of = (prompt: string) => arrange(readBrief(prompt, "pop", null), 10_000);
    expect(of("sunshine")).toEqual(of("sunshine"));
    const pieces = ["sunshine", "moonlight", "rivers", "a cat"].map((prompt) =>
      JSON.stringify(of(prompt).notes),
    );
    expect(new Set(pieces).size).toBe(4);
  });

  test.each([...STYLE_NAMES])("%s: drums stay on the grid, within the looseness of the style", (style) => {
    const { score } = scoreOf({ prompt: "a tune", salt: 1, style, durationMs: 20_000 });
    const { looseMs, drums: recipe } = STYLES[style];
    const drums = score.notes.filter(({ part }) => score.parts[part]?.isDrums);
    expect(drums.length > 0).toBe(recipe !== null);
    const looseBeats = (looseMs * 2 * score.bpm) / 60_000;
    const grid = [0, 0.25, 0.5, 0.75, 1];
    for (const { startBeat } of drums) {
      const off = Math.min(...grid.map((place) => Math.abs((startBeat % 1) - place)));
      expect(off).toBeLessThanOrEqual(looseBeats + 1e-6);
    }
  });
});

describe("a melody", () => {
  test.each([...STYLE_NAMES])(
    "%s: varies its pitch, rarely leaps, and plays no pitch more than three times in a row",
    (style) => {
      for (let salt = 0; salt < 12; salt++) {
        const { score } = scoreOf({ prompt: "a tune", salt, style, durationMs: 30_000 });
        const lead = STYLES[style].parts.findIndex(({ pattern }) => pattern.kind === "melody");
        const notes = score.notes
          .filter(({ part }) => part === lead)
          .toSorted((a, b) => a.startBeat - b.startBeat);
        expect(notes.length).toBeGreaterThan(6);
        expect(new Set(notes.map(({ pitch }) => pitch)).size).toBeGreaterThan(2);
        const leaps = notes.slice(1).map((note, at) => Math.abs(note.pitch - (notes[at]?.pitch ?? 0)));
        expect(Math.max(...leaps.slice(0, -1))).toBeLessThanOrEqual(12);
        expect(leaps.filter((leap) => leap <= 5).length).toBeGreaterThan(leaps.length * 0.5);
        expect(longestRepeat(notes)).toBeLessThanOrEqual(3);
      }
    },
  );
});

function longestRepeat(notes: readonly Note[]): number {
  let longest = 1;
  let run = 1;
  for (let at = 1; at < notes.length; at++) {
    run = notes[at]?.pitch === notes[at - 1]?.pitch ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}
