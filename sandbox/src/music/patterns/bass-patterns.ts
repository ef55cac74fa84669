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

/** Four to the bar: the root, chord tones on the way, and a half step into the next bar. */
export function walkBass(bar: Bar): PlayedNote[] {
  const { random, beatsPerBar } = bar;
  const [low] = bar.range;
  const notes: PlayedNote[] = [];
  let before = 0;
  for (let beat = 0; beat < beatsPerBar; beat++) {
    const startBeat = bar.startBeat + beat;
    const span = spanAt(bar, startBeat);
    const chord = span?.chord ?? bar.next;
    const root = firstFrom(low, chord.root);
    const target = firstFrom(low, bar.next.root);
    const isRoot = span !== undefined && Math.abs(span.startBeat - startBeat) < 0.01;
    const options = [toneOf(chord, "3"), toneOf(chord, "5"), toneOf(chord, "7")].map((tone) =>
      firstFrom(root, tone),
    );
    let pitch = isRoot ? root : (options[Math.floor(random() * options.length)] ?? root);
    if (beat === beatsPerBar - 1 && !isRoot) pitch = approachTo(target, before);
    if (pitch === before)
      pitch =
        firstFrom(root, toneOf(chord, "5")) === before ? root + 12 : firstFrom(root, toneOf(chord, "5"));
    notes.push({ startBeat, lengthBeats: 0.94, pitch, force: beat % 2 === 0 ? 0.8 : 0.88 });
    before = pitch;
  }
  return notes;
}
