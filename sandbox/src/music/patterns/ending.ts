import type { Player } from "../band.ts";
import type { Piece } from "../piece.ts";
import type { Chord } from "../theory/chord.ts";
import { firstFrom, nearestOf, pitchClass } from "../theory/scale.ts";
import { voiceChord } from "../theory/voicing.ts";
import type { PlayedNote } from "./bar.ts";

/** The last chord: everybody returns to the tonic and lets it ring. */
export function endingNotes(piece: Piece, player: Player, endBeat: number): PlayedNote[] {
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
