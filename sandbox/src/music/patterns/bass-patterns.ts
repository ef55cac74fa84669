import { signsIn } from "../grid.ts";
import type { Chord } from "../theory/chord.ts";
import { firstFrom } from "../theory/scale.ts";
import { type Bar, type PlayedNote, spanAt } from "./bar.ts";

function toneOf(chord: Chord, sign: string): number {
  const interval = { "3": 1, "5": 2, "7": 3 }[sign];
  if (interval === undefined) return chord.root;
  return chord.tones[interval] ?? chord.tones[interval - 1] ?? chord.root;
}

/** Digits stand for tones of the current chord; see `Pattern`. */
export function playBass(bar: Bar, grid: string): PlayedNote[] {
  const [low] = bar.range;
  return signsIn(grid, bar.beatsPerBar).map(({ sign, step, atBeat, lengthBeats }) => {
    const startBeat = bar.startBeat + atBeat;
    const chord = spanAt(bar, startBeat)?.chord ?? bar.next;
    const root = firstFrom(low, chord.root);
    const pitch =
      sign === "a"
        ? approachTo(firstFrom(low, bar.next.root), root)
        : sign === "8"
          ? root + 12
          : firstFrom(root, toneOf(chord, sign));
    const force = step === 0 ? 0.9 : step % 2 === 0 ? 0.75 : 0.62;
    return { startBeat, lengthBeats: lengthBeats * 0.92, pitch, force };
  });
}

function approachTo(target: number, from: number): number {
  return from > target ? target + 1 : target - 1;
}
