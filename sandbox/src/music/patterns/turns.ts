import type { Player } from "../band.ts";
import type { Piece } from "../piece.ts";
import type { Turn } from "../score.ts";

const EXPRESSION = 11;
const SWELL_STEPS = 8;

export function turnsOf({ form }: Piece, { recipe }: Player, part: number): Turn[] {
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
