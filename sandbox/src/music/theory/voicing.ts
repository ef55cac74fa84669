import type { Chord } from "./chord.ts";
import { firstFrom, pitchClass } from "./scale.ts";

export type Range = readonly [low: number, high: number];

/**
 * The pitches of a chord, voiced so that the hands move as little as possible from the previous chord: it sounds like
 * one accompaniment rather than jumping blocks. A power chord needs its root at the bottom.
 */
export function voiceChord(chord: Chord, before: readonly number[] | null, range: Range): number[] {
  if (chord.tones.length <= 2) {
    const root = firstFrom(range[0], chord.root);
    return [root, root + 7, root + 12];
  }
  const centre = (range[0] + range[1]) / 2;
  let best: number[] = [];
  let bestCost = Number.POSITIVE_INFINITY;
  for (const candidate of candidates(chord, range)) {
    const middle = mean(candidate);
    const cost =
      before === null
        ? Math.abs(middle - centre)
        : movement(candidate, before) + Math.abs(middle - centre) * 0.25;
    if (cost < bestCost) {
      best = candidate;
      bestCost = cost;
    }
  }
  return best;
}

/** Every close position within the range. */
function candidates({ tones }: Chord, [low, high]: Range): number[][] {
  const found: number[][] = [];
  for (let turn = 0; turn < tones.length; turn++) {
    for (let bottom = low; bottom <= high; bottom++) {
      if (pitchClass(bottom) !== tones[turn]) continue;
      const pitches = [bottom];
      for (let at = 1; at < tones.length; at++) {
        pitches.push(firstFrom((pitches.at(-1) ?? bottom) + 1, tones[(turn + at) % tones.length] ?? 0));
      }
      if ((pitches.at(-1) ?? high) <= high) found.push(pitches);
    }
  }
  return found.length > 0 ? found : [tones.map((tone) => firstFrom(low, tone)).toSorted((a, b) => a - b)];
}

function movement(pitches: readonly number[], before: readonly number[]): number {
  return pitches.reduce(
    (sum, pitch) => sum + Math.min(...before.map((earlier) => Math.abs(pitch - earlier))),
    Math.abs(mean(pitches) - mean(before)) * 2,
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
