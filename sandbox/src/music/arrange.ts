import { createRandom, pickOne, type Random } from "../random.ts";
import type { Player } from "./band.ts";
import type { MusicBrief } from "./brief/read-brief.ts";
import { type Form, sectionOf } from "./form.ts";
import { readGrid } from "./grid.ts";
import type { PlayedNote } from "./patterns/bar.ts";
import { partNotes } from "./patterns/part-track.ts";
import { type Piece, planPiece } from "./piece.ts";
import type { Note, Part, Score, Turn } from "./score.ts";
import type { DrumName, DrumRecipe, Groove } from "./styles/style-recipe.ts";
import type { Chord } from "./theory/chord.ts";
import { firstFrom, nearestOf, pitchClass } from "./theory/scale.ts";
import { voiceChord } from "./theory/voicing.ts";

/** The last chord: everybody returns to the tonic and lets it ring. */
function endingNotes(piece: Piece, player: Player, endBeat: number): PlayedNote[] {
  const { form, harmony, melody } = piece;
  const startBeat = form.totalBeats;
  const lengthBeats = endBeat - startBeat;
  const ring = (pitch: number, at: number) => ({
    startBeat: startBeat + at,
    lengthBeats: lengthBeats - at,
    pitch,
    force: 0.72,
  });
  const [low, high] = player.recipe.range;
  switch (player.recipe.pattern.kind) {
    case "melody": {
      const homes = pitchesOf(restOf(harmony.final), low, high);
      return [ring(nearestOf(homes, melody.at(-1)?.pitch ?? (low + high) / 2), 0)];
    }
    case "bass":
      return [ring(firstFrom(low, harmony.final.root), 0)];
    case "arpeggio":
      return voiceChord(harmony.final, null, player.recipe.range).map((pitch, at) =>
        ring(pitch, Math.min(at * 0.12, lengthBeats / 2)),
      );
    default:
      return voiceChord(harmony.final, null, player.recipe.range).map((pitch) => ring(pitch, 0));
  }
}

/** The tonic, unless its major seventh below would clash with it: then the third. */
function restOf({ root, tones: [, third = root, ...others] }: Chord): number {
  return others.includes(pitchClass(root - 1)) ? third : root;
}

function pitchesOf(tone: number, low: number, high: number): number[] {
  const pitches: number[] = [];
  for (let pitch = firstFrom(low, tone); pitch <= high; pitch += 12) pitches.push(pitch);
  return pitches;
}

/** Keys of the General MIDI drum kit. */
const KEYS: Readonly<Record<DrumName, number>> = {
  kick: 36,
  snare: 38,
  clap: 39,
  hat: 42,
  crash: 49,
  floor: 43,
  mid: 47,
  tambourine: 54,
};

function playGroove(groove: Groove, startBeat: number, beatsPerBar: number): PlayedNote[] {
  return Object.entries(groove).flatMap(([name, grid]) =>
    readGrid(grid, beatsPerBar).map(({ atBeat, force }) => ({
      startBeat: startBeat + atBeat,
      // Drums ring by themselves; only a cymbal would be cut off by a short note.
      lengthBeats: name === "crash" ? 2 : 0.25,
      pitch: KEYS[name as DrumName],
      force,
    })),
  );
}

function strikeDrum(name: DrumName, startBeat: number, force: number): PlayedNote {
  return { startBeat, lengthBeats: 4, pitch: KEYS[name], force };
}

const PHRASE_BARS = 4;

/** A groove per section, a fill where a phrase ends, a cymbal where the next one begins and at the end of the piece. */
function drumNotes({ form }: Piece, drums: DrumRecipe, random: Random): PlayedNote[] {
  const notes: PlayedNote[] = [];
  const grooves = new Map<string, Groove>();
  for (let bar = 0; bar < form.bars; bar++) {
    const section = sectionOf(form, bar);
    const startBeat = bar * form.beatsPerBar;
    const place = bar - section.fromBar;
    const isLastOfAll = bar === form.bars - 1;
    const endsPhrase = place % PHRASE_BARS === PHRASE_BARS - 1 || place === section.bars - 1;
    const groove = grooves.get(section.name) ?? pickOne(random, drums.grooves);
    grooves.set(section.name, groove);
    const steady = section.energy < 0.6 ? drums.light : groove;
    const played = (endsPhrase || isLastOfAll) && form.bars > 1 ? pickOne(random, drums.fills) : steady;
    notes.push(...playGroove(played, startBeat, form.beatsPerBar));
    if (place === 0 && section.energy >= 0.6) notes.push(strikeDrum("crash", startBeat, 0.8));
  }
  const last = form.totalBeats;
  const ending = [strikeDrum("kick", last, 0.9), strikeDrum("crash", last, 0.85)];
  return [...notes.filter(({ startBeat }) => startBeat < last), ...ending];
}

const EXPRESSION = 11;
const SWELL_STEPS = 8;

function turnsOf({ form }: Piece, { recipe }: Player, part: number): Turn[] {
  const turns: Turn[] = [];
  const turn = (atBeat: number, value: number) =>
    turns.push({ part, atBeat, controller: EXPRESSION, value: Math.round(value) });
  if (recipe.swells) {
    for (let bar = 0; bar < form.bars; bar++) {
      for (let step = 0; step < SWELL_STEPS; step++) {
        const height = Math.sin((Math.PI * (step + 0.5)) / SWELL_STEPS);
        turn(bar * form.beatsPerBar + (step * form.beatsPerBar) / SWELL_STEPS, 86 + 36 * height);
      }
    }
    turn(form.totalBeats, 118);
  }
  return turns;
}

/** Turns a brief into every note of a piece. The same brief gives the same score. */
export function arrange(brief: MusicBrief, durationMs: number): Score {
  const random = createRandom(brief.seed);
  const piece = planPiece(brief, durationMs, random);
  const { form, style, players } = piece;
  const endBeat = (durationMs / 60_000) * form.bpm;
  const notes: Note[] = [];
  const parts: Part[] = [];
  const add = (part: Part, played: readonly PlayedNote[]) => {
    parts.push(part);
    for (const note of played)
      notes.push(performed({ note, part: parts.length - 1, piece, random, endBeat }));
  };
  for (const player of players) {
    const played = partNotes(piece, player, random);
    // A player with nothing to play does not join for the last chord.
    add(partOf(player), played.length === 0 ? [] : [...played, ...endingNotes(piece, player, endBeat)]);
  }
  if (style.drums !== null) {
    const { kit, levelDb, reverb } = style.drums;
    const part = { program: kit, isDrums: true, levelDb, volume: 100, pan: 64, reverb, chorus: 0 };
    add(part, drumNotes(piece, style.drums, random));
  }
  const turns = players.flatMap((player, part) => turnsOf(piece, player, part));
  return {
    bpm: form.bpm,
    totalBeats: form.totalBeats,
    durationMs,
    parts,
    notes,
    turns,
    fullestBeat: fullestBeatOf(form),
  };
}

function fullestBeatOf({ sections, beatsPerBar }: Form): number {
  const fullest = sections.reduce((best, section) => (section.energy > best.energy ? section : best));
  return fullest.fromBar * beatsPerBar;
}

function partOf({ recipe, program }: Player): Part {
  const { levelDb, pan, reverb, chorus = 0 } = recipe;
  return { program, isDrums: false, levelDb, volume: 100, pan, reverb, chorus };
}

/** Adds human timing: swung, a little early or late, a little louder or softer. */
function performed(input: {
  note: PlayedNote;
  part: number;
  piece: Piece;
  random: Random;
  endBeat: number;
}): Note {
  const { note, part, random } = input;
  const { form, style, brief } = input.piece;
  const looseBeats = (style.looseMs / 60_000) * form.bpm;
  // The last chord is struck together.
  const isFinal = note.startBeat >= form.totalBeats;
  const start = note.startBeat + (isFinal ? 0 : spread(random, looseBeats));
  const end = note.startBeat + note.lengthBeats;
  const bar = Math.floor(note.startBeat / form.beatsPerBar);
  const { energy } = sectionOf(form, bar);
  const accent = note.startBeat % form.beatsPerBar < 0.01 ? 5 : 0;
  const loud = 34 + note.force * 56 + energy * 16 + brief.energy * 8 + accent + spread(random, 4);
  return {
    part,
    startBeat: Math.max(start, 0),
    lengthBeats: Math.max(Math.min(end, input.endBeat) - start, 0.06),
    pitch: note.pitch,
    velocity: Math.round(Math.min(Math.max(loud, 12), 124)),
  };
}

/** Roughly normally distributed, never beyond twice `size`. */
function spread(random: Random, size: number): number {
  return (random() + random() + random() - 1.5) * size * (4 / 3);
}
