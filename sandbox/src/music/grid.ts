/** One stroke of a rhythm: its time in the bar, its length, and its force (1 is an accent). */
export type Stroke = { readonly atBeat: number; readonly lengthBeats: number; readonly force: number };

const FORCES: ReadonlyMap<string, number> = new Map([
  ["X", 1],
  ["x", 0.8],
  ["o", 0.55],
  ["g", 0.32],
]);

/** A written rhythm: `x` is a stroke, `X` harder, `o` softer, `g` barely audible. */
export function readGrid(grid: string, beatsPerBar: number): Stroke[] {
  return signsIn(grid, beatsPerBar).map(({ sign, atBeat, lengthBeats }) => ({
    atBeat,
    lengthBeats,
    force: FORCES.get(sign) ?? 0,
  }));
}

type Sign = Omit<Stroke, "force"> & { readonly sign: string; readonly step: number };

/** Reads any grid: `-` holds, `.` rests, blanks are ignored. The bar is divided evenly. */
export function signsIn(grid: string, beatsPerBar: number): Sign[] {
  const steps = grid.replaceAll(" ", "");
  const stepBeats = beatsPerBar / steps.length;
  return [...steps.matchAll(/([^.-])-*/g)].map(({ 0: held, 1: sign = "", index: step }) => ({
    sign,
    step,
    atBeat: step * stepBeats,
    lengthBeats: held.length * stepBeats,
  }));
}
