import type { Random } from "../random.ts";
import { formBand, type Player } from "./band.ts";
import type { MusicBrief } from "./brief/read-brief.ts";
import { type Form, planForm } from "./form.ts";
import { type Harmony, planHarmony } from "./harmony.ts";
import { composeMelody } from "./melody.ts";
import type { PlayedNote } from "./patterns/bar.ts";
import type { StyleRecipe } from "./styles/style-recipe.ts";
import { STYLES } from "./styles/styles.ts";

/** All that is decided before anybody plays. */
export type Piece = {
  readonly style: StyleRecipe;
  readonly brief: MusicBrief;
  readonly form: Form;
  readonly harmony: Harmony;
  readonly players: readonly Player[];
  readonly melody: readonly PlayedNote[];
};

export function planPiece(brief: MusicBrief, durationMs: number, random: Random): Piece {
  const style = STYLES[brief.style];
  const [slowest, fastest] = style.tempoBpm;
  const own = slowest + (fastest - slowest) * (0.5 + brief.energy * 0.3 + (random() - 0.5) * 0.3);
  const form = planForm({
    durationMs,
    bpm: own * brief.pace,
    beatsPerBar: style.beatsPerBar,
    ringSeconds: style.ringSeconds,
  });
  const harmony = planHarmony({ form, key: brief.key, style, random });
  const players = formBand(style, random);
  const lead = players.find(({ recipe }) => recipe.pattern.kind === "melody");
  const melody = composeMelody({
    form,
    harmony,
    tonic: brief.key.tonic,
    scale: style.scale[brief.key.mode],
    range: lead?.recipe.range ?? [60, 84],
    cells: style.cells,
    landings: style.landings,
    random,
  });
  return { style, brief, form, harmony, players, melody };
}
