import { pickOne, type Random } from "../../random.ts";
import { sectionOf } from "../form.ts";
import type { Piece } from "../piece.ts";
import type { DrumRecipe, Groove } from "../styles/style-recipe.ts";
import type { PlayedNote } from "./bar.ts";
import { playGroove, strikeDrum } from "./drums.ts";

const PHRASE_BARS = 4;

/** A groove per section, a fill where a phrase ends, a cymbal where the next one begins and at the end of the piece. */
export function drumNotes({ form }: Piece, drums: DrumRecipe, random: Random): PlayedNote[] {
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
