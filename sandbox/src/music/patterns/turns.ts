import type { Player } from "../band.ts";
import type { Piece } from "../piece.ts";
import type { Turn } from "../score.ts";

const EXPRESSION = 11;
/** Sidechain ducking: the expression value after each beat, as it recovers from the kick drum. */
const DUCK: readonly (readonly [atBeat: number, value: number])[] = [
  [0, 36],
  [0.12, 58],
  [0.24, 84],
  [0.36, 106],
  [0.5, 122],
];
const SWELL_STEPS = 8;

export function turnsOf({ form, band }: Piece, { recipe }: Player, part: number): Turn[] {
  const turns: Turn[] = [];
  const turn = (atBeat: number, value: number) =>
    turns.push({ part, atBeat, controller: EXPRESSION, value: Math.round(value) });
  if (recipe.ducks && band.drums !== null) {
    for (let beat = 0; beat < form.totalBeats; beat++) {
      for (const [after, value] of DUCK) turn(beat + after, value);
    }
    turn(form.totalBeats, 120);
  } else if (recipe.swells) {
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
