import { pickOne, type Random } from "../random.ts";
import { type Form, sectionOf } from "./form.ts";
import { readGrid, type Stroke } from "./grid.ts";
import { chordAt, type Harmony } from "./harmony.ts";
import type { PlayedNote } from "./patterns/bar.ts";
import { nearestOf, pitchClass, type ScaleName, scalePitches } from "./theory/scale.ts";
import type { Range } from "./theory/voicing.ts";

type Cells = readonly [string, ...string[]];
/** A rhythm and its shape, by which a tune is recognised. */
type Motif = { readonly rhythm: readonly Stroke[]; readonly steps: readonly number[] };
type Theme = {
  readonly first: Motif;
  readonly other: Motif;
  readonly landing: Motif;
  readonly arc: readonly number[];
};

const PHRASE_BARS = 4;
/** Where each bar of a phrase aims, in scale steps: a rise, a peak, a way down. */
const ARCS: readonly [readonly number[], ...(readonly number[])[]] = [
  [0, 1, 3, 0],
  [0, 2, 1, -1],
  [1, 0, 2, 0],
  [0, -1, 2, 1],
];
const MAX_LEAP = 9;

/**
 * A tune in phrases of four bars: the motif, the motif elsewhere, something else, a landing. A returning section has
 * its motif again. On strong beats it uses chord tones, between them scale steps.
 */
export function composeMelody(input: {
  readonly form: Form;
  readonly harmony: Harmony;
  readonly tonic: number;
  readonly scale: ScaleName;
  readonly range: Range;
  readonly cells: Cells;
  readonly landings: Cells;
  readonly random: Random;
}): PlayedNote[] {
  const { form, range } = input;
  const pitches = scalePitches(input.tonic, input.scale, range);
  const themes = new Map<string, Theme>();
  const notes: PlayedNote[] = [];
  const middle = range[0] + (range[1] - range[0]) * 0.45;
  const home = pitches.indexOf(nearestOf(tonesOf(pitches, [input.tonic, input.tonic + 7]), middle));
  for (let bar = 0; bar < form.bars; bar++) {
    const section = sectionOf(form, bar);
    if (section.name === "intro") continue;
    const theme = themes.get(section.name) ?? createTheme(input);
    themes.set(section.name, theme);
    const place = (bar - section.fromBar) % PHRASE_BARS;
    const isLanding = place === PHRASE_BARS - 1 || bar === form.bars - 1;
    const used = isLanding ? theme.landing : place === 2 ? theme.other : theme.first;
    const lift = section.name === "B" ? 2 : 0;
    const start = home + lift + (isLanding ? 0 : (theme.arc[place] ?? 0));
    singBar({ notes, motif: used, start, bar, pitches, input, isLanding });
  }
  return notes;
}

function createTheme(input: Parameters<typeof composeMelody>[0]): Theme {
  const { random, form } = input;
  const motif = (cells: Cells) => createMotif(readGrid(pickOne(random, cells), form.beatsPerBar), random);
  return {
    first: motif(input.cells),
    other: motif(input.cells),
    landing: motif(input.landings),
    arc: pickOne(random, ARCS),
  };
}

function createMotif(rhythm: readonly Stroke[], random: Random): Motif {
  let height = 0;
  const steps = rhythm.map((_, at) => {
    if (at === 0) return 0;
    const leap = random() < 0.16;
    // Pulled back towards the start, so that no shape runs off.
    const up = random() < 0.5 - height * 0.12;
    height += (up ? 1 : -1) * (leap ? 2 + Math.floor(random() * 2) : random() < 0.12 ? 0 : 1);
    return height;
  });
  return { rhythm, steps };
}

function singBar(bar: {
  notes: PlayedNote[];
  motif: Motif;
  start: number;
  bar: number;
  pitches: readonly number[];
  input: Parameters<typeof composeMelody>[0];
  isLanding: boolean;
}): void {
  const { notes, pitches, motif, input } = bar;
  const barBeat = bar.bar * input.form.beatsPerBar;
  motif.rhythm.forEach((stroke, at) => {
    const startBeat = barBeat + stroke.atBeat;
    if (startBeat >= input.form.totalBeats) return;
    const index = Math.min(Math.max(bar.start + (motif.steps[at] ?? 0), 0), pitches.length - 1);
    const wish = pitches[index] ?? 60;
    const tones = singable(chordAt(input.harmony, startBeat).tones, pitches, input.range);
    const isStrong = Math.abs(stroke.atBeat % 1) < 0.01 || stroke.lengthBeats >= 1 || at === 0;
    const isLast = at === motif.rhythm.length - 1;
    const before = notes.at(-1)?.pitch ?? wish;
    // A little towards the current pitch: of two equally good tones, take the nearer one.
    const aim = wish + (before - wish) * 0.15;
    const near = isStrong || (bar.isLanding && isLast) ? nearestOf(tones, aim) : wish;
    const direction = Math.sign((motif.steps[at] ?? 0) - (motif.steps[at - 1] ?? 0));
    const chosen = near === before ? onwards(near, direction, isStrong ? tones : pitches) : near;
    notes.push({
      startBeat,
      lengthBeats: stroke.lengthBeats,
      pitch: withinLeap(fresh(chosen, notes, isStrong ? tones : pitches), notes.at(-1)?.pitch, tones),
      force: stroke.force,
    });
  });
}

/**
 * All chord tones, in the scale or not, but none a half step above another one, with which it would clash. Over a bare
 * fifth, all tones of the scale.
 */
function singable(classes: readonly number[], pitches: readonly number[], [low, high]: Range): number[] {
  if (classes.length < 3) return [...pitches];
  return tonesOf(
    Array.from({ length: high - low + 1 }, (_, at) => low + at),
    classes.filter((tone) => !classes.includes(pitchClass(tone - 1))),
  );
}

function tonesOf(pitches: readonly number[], classes: readonly number[]): number[] {
  const wanted = new Set(classes.map(pitchClass));
  const tones = pitches.filter((pitch) => wanted.has(pitchClass(pitch)));
  return tones.length > 0 ? tones : [...pitches];
}

/** If the motif moves, the tune moves, even if both notes are nearest to the same tone. */
function onwards(pitch: number, direction: number, allowed: readonly number[]): number {
  if (direction === 0) return pitch;
  const beyond = allowed.filter((other) => Math.sign(other - pitch) === direction);
  const next = nearestOf(beyond, pitch);
  return Math.abs(next - pitch) <= 5 ? next : pitch;
}

/** A note that was sung twice in a row moves on to its neighbour. */
function fresh(pitch: number, notes: readonly PlayedNote[], allowed: readonly number[]): number {
  if (notes.at(-1)?.pitch !== pitch || notes.at(-2)?.pitch !== pitch) return pitch;
  return nearestOf(
    allowed.filter((other) => other !== pitch),
    pitch + (notes.length % 2 === 0 ? 1 : -1),
  );
}

function withinLeap(pitch: number, before: number | undefined, allowed: readonly number[]): number {
  if (before === undefined || Math.abs(pitch - before) <= MAX_LEAP) return pitch;
  return nearestOf(allowed, before + Math.sign(pitch - before) * 5);
}
