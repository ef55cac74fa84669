import { pickOne, type Random } from "../../random.ts";
import type { Player } from "../band.ts";
import { sectionOf } from "../form.ts";
import type { Piece } from "../piece.ts";
import type { Pattern, Some } from "../styles/style-recipe.ts";
import { voiceChord } from "../theory/voicing.ts";
import type { Bar, PlayedNote, VoicedSpan } from "./bar.ts";
import { playBass } from "./bass-patterns.ts";
import { breakChords, holdChords, strikeChords } from "./chord-patterns.ts";

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
