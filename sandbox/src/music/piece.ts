import type { Random } from "../random.ts";
import { type Band, formBand } from "./band.ts";
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
  readonly band: Band;
  readonly melody: readonly PlayedNote[];
};

export function planPiece(brief: MusicBrief, durationMs: number, random: Random): Piece {
  const style = STYLES[brief.style];
  const [slowest, fastest] = style.tempoBpm;
  const own = slowest + (fastest - slowest) * (0.5 + brief.energy * 0.3 + (random() - 0.5) * 0.3);
  const form = planForm({
    durationMs,
    bpm: brief.bpm ?? own * brief.pace,
    keepsTempo: brief.bpm !== null,
    beatsPerBar: style.beatsPerBar,
    ringSeconds: style.ringSeconds,
    hasIntro: !brief.isSolo,
  });
  const harmony = planHarmony({ form, key: brief.key, style, random });
  const band = formBand(style, brief, random);
  const lead = band.players.find(({ recipe }) => recipe.pattern.kind === "melody");
  const melody = composeMelody({
    form,
    harmony,
    tonic: brief.key.tonic,
    scale: style.scale[brief.key.mode],
    range: lead?.range ?? [60, 84],
    cells: style.cells,
    landings: style.landings,
    opensAtOnce: brief.isSolo,
    random,
  });
  return { style, brief, form, harmony, band, melody };
}
