import { pickOne, type Random } from "../random.ts";
import { type Form, sectionOf } from "./form.ts";
import type { StyleRecipe } from "./styles/style-recipe.ts";
import { type Chord, chordOf } from "./theory/chord.ts";
import type { Key } from "./theory/scale.ts";

/** A chord, and when it sounds. */
type ChordSpan = { readonly chord: Chord; readonly startBeat: number; readonly lengthBeats: number };

export type Harmony = {
  /** One list per bar. */
  readonly bars: readonly (readonly ChordSpan[])[];
  readonly final: Chord;
};

/**
 * A section has the same progression whenever it returns, which makes it recognisable. The last two bars are always the
 * style's cadence, so that the piece ends properly rather than just when time is up.
 */
export function planHarmony(input: {
  readonly form: Form;
  readonly key: Key;
  readonly style: StyleRecipe;
  readonly random: Random;
}): Harmony {
  const { form, key, style, random } = input;
  const pool = style.progressions[key.mode];
  const fromHome = pool.filter((progression) => /^i(?!i|v)/i.test(progression));
  // A short piece starts on the tonic: it has no time to get there first.
  const first = pickOne(
    random,
    form.bars < 8 && fromHome[0] !== undefined ? [fromHome[0], ...fromHome] : pool,
  );
  const others = pool.filter((progression) => progression !== first);
  const second = others.length > 0 ? pickOne(random, [others[0] ?? first, ...others]) : first;
  const third = others.at(-1) ?? first;
  const bySection = { intro: first, A: first, B: second, C: third };
  const way = style.cadence[key.mode].split(" ");
  const wayBars = form.bars >= 3 ? way : way.slice(-1);
  const bars = Array.from({ length: form.bars }, (_, bar) => {
    const home = wayBars[bar - (form.bars - wayBars.length)];
    const section = sectionOf(form, bar);
    const progression = bySection[section.name].split(" ");
    const symbols = home ?? progression[(bar - section.fromBar) % progression.length] ?? "I";
    return spansOf(symbols, bar * form.beatsPerBar, { beatsPerBar: form.beatsPerBar, tonic: key.tonic });
  });
  return { bars, final: chordOf(style.ending[key.mode], key.tonic) };
}

/** `ii7/V7`: two chords share the bar. */
function spansOf(
  symbols: string,
  startBeat: number,
  { beatsPerBar, tonic }: { beatsPerBar: number; tonic: number },
): ChordSpan[] {
  const chords = symbols.split("/");
  const lengthBeats = beatsPerBar / chords.length;
  return chords.map((symbol, at) => ({
    chord: chordOf(symbol, tonic),
    startBeat: startBeat + at * lengthBeats,
    lengthBeats,
  }));
}

export function chordAt(harmony: Harmony, beat: number): Chord {
  for (const spans of harmony.bars) {
    for (const span of spans) {
      if (beat >= span.startBeat && beat < span.startBeat + span.lengthBeats) return span.chord;
    }
  }
  return harmony.final;
}
