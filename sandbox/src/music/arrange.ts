import { createRandom, type Random } from "../random.ts";
import type { Player } from "./band.ts";
import type { MusicBrief } from "./brief/read-brief.ts";
import { type Form, sectionOf } from "./form.ts";
import type { PlayedNote } from "./patterns/bar.ts";
import { drumNotes } from "./patterns/drum-track.ts";
import { endingNotes } from "./patterns/ending.ts";
import { partNotes } from "./patterns/part-track.ts";
import { turnsOf } from "./patterns/turns.ts";
import { type Piece, planPiece } from "./piece.ts";
import type { Note, Part, Score } from "./score.ts";

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
