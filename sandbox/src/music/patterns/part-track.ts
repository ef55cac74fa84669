import { pickOne, type Random } from "../../random.ts";
import type { Player } from "../band.ts";
import { sectionOf } from "../form.ts";
import { readGrid, signsIn } from "../grid.ts";
import type { Piece } from "../piece.ts";
import type { Pattern, Some } from "../styles/style-recipe.ts";
import type { Chord } from "../theory/chord.ts";
import { firstFrom } from "../theory/scale.ts";
import { voiceChord } from "../theory/voicing.ts";
import { type Bar, type PlayedNote, spanAt, type VoicedSpan } from "./bar.ts";

function holdChords({ spans }: Bar): PlayedNote[] {
  return spans.flatMap(({ startBeat, lengthBeats, pitches }) =>
    pitches.map((pitch) => ({ startBeat, lengthBeats: lengthBeats * 0.98, pitch, force: 0.6 })),
  );
}

function strikeChords(bar: Bar, grid: string): PlayedNote[] {
  return readGrid(grid, bar.beatsPerBar).flatMap((stroke, index) => {
    const startBeat = bar.startBeat + stroke.atBeat;
    const span = spanAt(bar, startBeat);
    if (span === undefined) return [];
    const isUp = Math.abs((stroke.atBeat % 1) - 0.5) < 0.01 && index > 0;
    return span.pitches.map((pitch) => ({
      startBeat,
      lengthBeats: stroke.lengthBeats * 0.94,
      pitch,
      force: stroke.force * (isUp ? 0.82 : 1),
    }));
  });
}

function breakChords(bar: Bar, grid: string, order: readonly number[]): PlayedNote[] {
  return readGrid(grid, bar.beatsPerBar).flatMap((stroke, index) => {
    const startBeat = bar.startBeat + stroke.atBeat;
    const span = spanAt(bar, startBeat);
    const tone = order[index % order.length] ?? 0;
    const size = span?.pitches.length ?? 0;
    const pitch = span?.pitches[tone % size];
    if (pitch === undefined) return [];
    const octaves = Math.floor(tone / size) * 12;
    return [{ startBeat, lengthBeats: stroke.lengthBeats, pitch: pitch + octaves, force: stroke.force }];
  });
}

function toneOf(chord: Chord, sign: string): number {
  const interval = { "3": 1, "5": 2, "7": 3 }[sign];
  if (interval === undefined) return chord.root;
  return chord.tones[interval] ?? chord.tones[interval - 1] ?? chord.root;
}

/** Digits stand for tones of the current chord; see `Pattern`. */
function playBass(bar: Bar, grid: string): PlayedNote[] {
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

/**
 * All notes of one player except the last chord. A section keeps its figure; the player waits until the section has
 * enough energy.
 */
export function partNotes(piece: Piece, player: Player, random: Random): PlayedNote[] {
  const { form, harmony } = piece;
  const { recipe } = player;
  const entersAt = recipe.entersAt ?? 0;
  const plays = (beat: number) => sectionOf(form, Math.floor(beat / form.beatsPerBar)).energy >= entersAt;
  if (recipe.pattern.kind === "melody") return piece.melody.filter(({ startBeat }) => plays(startBeat));
  const figures = new Map<string, (bar: Bar) => PlayedNote[]>();
  const notes: PlayedNote[] = [];
  let before: readonly number[] | null = null;
  for (const [index, spans] of harmony.bars.entries()) {
    const startBeat = index * form.beatsPerBar;
    const voiced: VoicedSpan[] = [];
    for (const span of spans) {
      const pitches = voiceChord(span.chord, before, recipe.range);
      voiced.push({ ...span, pitches });
      before = pitches;
    }
    const section = sectionOf(form, index);
    const figure = figures.get(section.name) ?? figureOf(recipe.pattern, random);
    figures.set(section.name, figure);
    const next = harmony.bars[index + 1]?.[0]?.chord ?? harmony.final;
    const bar = {
      startBeat,
      beatsPerBar: form.beatsPerBar,
      spans: voiced,
      next,
      range: recipe.range,
      random,
    };
    const played = figure(bar);
    if (plays(startBeat)) notes.push(...played.filter((note) => note.startBeat < form.totalBeats));
  }
  return notes;
}

function figureOf(pattern: Pattern, random: Random): (bar: Bar) => PlayedNote[] {
  switch (pattern.kind) {
    case "chords": {
      const main = pickOne(random, pattern.grids);
      return (bar) => strikeChords(bar, varied(main, pattern.grids, random));
    }
    case "arpeggio": {
      const grid = pickOne(random, pattern.grids);
      const order = pickOne(random, pattern.orders);
      return (bar) => breakChords(bar, grid, order);
    }
    case "bass": {
      const main = pickOne(random, pattern.grids);
      return (bar) => playBass(bar, varied(main, pattern.grids, random));
    }
    default:
      return holdChords;
  }
}

/** Mostly the same, so that it is a figure; sometimes another one, so that it is not mechanical. */
function varied(main: string, grids: Some<string>, random: Random): string {
  return random() < 0.25 ? pickOne(random, grids) : main;
}
