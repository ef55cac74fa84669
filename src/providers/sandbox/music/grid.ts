/** One stroke of a rhythm: when in the bar, how long, how hard (1 is an accent). */
export type Stroke = { readonly atBeat: number; readonly lengthBeats: number; readonly force: number };

const FORCES: ReadonlyMap<string, number> = new Map([
  ["X", 1],
  ["x", 0.8],
  ["o", 0.55],
  ["g", 0.32],
]);

/**
 * A rhythm as it is written down: `x` strikes, `X` harder, `o` softer, `g` barely, `-` holds on, `.` rests. Blanks are
 * for the eye. The bar is divided evenly.
 */
export function readGrid(grid: string, beatsPerBar: number): Stroke[] {
  const steps = grid.replaceAll(" ", "");
  const stepBeats = beatsPerBar / steps.length;
  const strokes: Stroke[] = [];
  for (let at = 0; at < steps.length; at++) {
    const force = FORCES.get(steps[at] ?? "");
    if (force === undefined) continue;
    let end = at + 1;
    while (steps[end] === "-") end++;
    strokes.push({ atBeat: at * stepBeats, lengthBeats: (end - at) * stepBeats, force });
  }
  return strokes;
}
