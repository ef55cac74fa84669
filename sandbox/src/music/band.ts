import { pickOne, type Random } from "../random.ts";
import type { Instrument } from "./brief/instruments.ts";
import type { MusicBrief } from "./brief/read-brief.ts";
import type { DrumRecipe, PartRecipe, StyleRecipe } from "./styles/style-recipe.ts";
import type { Range } from "./theory/voicing.ts";

/** A part of the style with the instrument that plays it here. */
export type Player = {
  readonly recipe: PartRecipe;
  readonly program: number;
  readonly range: Range;
};

export type Band = { readonly players: readonly Player[]; readonly drums: DrumRecipe | null };

/** For drums on request in a style that has none. */
const SOFT_DRUMS: DrumRecipe = {
  kit: 40,
  grooves: [{ kick: "x... .... x.o. ....", snare: ".... o... .... o...", hat: "o.g. o.g. o.g. o.g." }],
  light: { hat: "o.g. o.g. o.g. o.g." },
  fills: [{ kick: "x... .... x... ....", snare: ".... o... .o.o oxox", hat: "o.g. o.g. .... ...." }],
  levelDb: -9,
  reverb: 50,
  crashes: false,
};

/** The style's own players, replaced by the instruments that the prompt names. */
export function formBand(style: StyleRecipe, brief: MusicBrief, random: Random): Band {
  const waiting = [...brief.instruments];
  const take = (role: PartRecipe["role"]): Instrument | undefined => {
    const at = waiting.findIndex(({ roles }) => roles.some((each) => each === role));
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const players = style.parts.map(
    (recipe): Player => ({
      recipe,
      program: pickOne(random, recipe.programs),
      range: recipe.range,
    }),
  );
  // The melody first: the instrument named first gets it.
  for (const role of ["lead", "harmony", "bass"] as const) {
    const at = players.findIndex(({ recipe }) => recipe.role === role);
    const player = players[at];
    const named = player === undefined ? undefined : take(role);
    if (player !== undefined && named !== undefined) players[at] = seat(player, named, role);
  }
  const wantsDrums = brief.drums === "always" ? (style.drums ?? SOFT_DRUMS) : style.drums;
  const drums = brief.drums === "never" || brief.isSolo ? null : wantsDrums;
  return { players: brief.isSolo ? soloists(players, brief) : players, drums };
}

/** Chords stay in the style's range: an instrument's whole range would overlap the melody. */
function seat(player: Player, named: Instrument, role: PartRecipe["role"]): Player {
  return { ...player, program: named.program, range: role === "lead" ? named.range : player.range };
}

/** A solo instrument that can play chords accompanies itself, and waits for no other player. */
function soloists(players: readonly Player[], { instruments: [solo] }: MusicBrief): Player[] {
  if (solo === undefined) return [...players];
  const roles: readonly string[] = solo.roles.includes("harmony") ? ["lead", "harmony"] : ["lead"];
  return players
    .filter(({ recipe }) => roles.includes(recipe.role))
    .map(({ recipe: { entersAt: _never, ...recipe }, range }) => ({ recipe, range, program: solo.program }));
}
