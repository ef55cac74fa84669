import { readGrid } from "../grid.ts";
import type { DrumName, Groove } from "../styles/style-recipe.ts";
import type { PlayedNote } from "./bar.ts";

/** Keys of the General MIDI drum kit. */
const KEYS: Readonly<Record<DrumName, number>> = {
  kick: 36,
  snare: 38,
  rim: 37,
  clap: 39,
  hat: 42,
  pedal: 44,
  open: 46,
  ride: 51,
  crash: 49,
  floor: 43,
  low: 45,
  mid: 47,
  high: 50,
  shaker: 70,
  tambourine: 54,
  clave: 75,
  conga: 63,
  congaLow: 64,
};

export function playGroove(groove: Groove, startBeat: number, beatsPerBar: number): PlayedNote[] {
  return Object.entries(groove).flatMap(([name, grid]) =>
    readGrid(grid, beatsPerBar).map(({ atBeat, force }) => ({
      startBeat: startBeat + atBeat,
      // Drums ring by themselves; only cymbals would be cut off by a short note.
      lengthBeats: name === "crash" || name === "ride" ? 2 : 0.25,
      pitch: KEYS[name as DrumName],
      force,
    })),
  );
}

export function strikeDrum(name: DrumName, startBeat: number, force: number): PlayedNote {
  return { startBeat, lengthBeats: 4, pitch: KEYS[name], force };
}
