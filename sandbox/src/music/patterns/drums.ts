import { readGrid } from "../grid.ts";
import type { DrumName, Groove } from "../styles/style-recipe.ts";
import type { PlayedNote } from "./bar.ts";

/** Keys of the General MIDI drum kit. */
const KEYS: Readonly<Record<DrumName, number>> = {
  kick: 36,
  snare: 38,
  clap: 39,
  hat: 42,
  crash: 49,
  floor: 43,
  mid: 47,
  tambourine: 54,
};

export function playGroove(groove: Groove, startBeat: number, beatsPerBar: number): PlayedNote[] {
  return Object.entries(groove).flatMap(([name, grid]) =>
    readGrid(grid, beatsPerBar).map(({ atBeat, force }) => ({
      startBeat: startBeat + atBeat,
      // Drums ring by themselves; only a cymbal would be cut off by a short note.
      lengthBeats: name === "crash" ? 2 : 0.25,
      pitch: KEYS[name as DrumName],
      force,
    })),
  );
}

export function strikeDrum(name: DrumName, startBeat: number, force: number): PlayedNote {
  return { startBeat, lengthBeats: 4, pitch: KEYS[name], force };
}
