const COLOURS = 8;

/** Colour of a part of a report, by its position. */
export function partColour(at: number, isRest: boolean): string {
  return isRest ? "var(--chart-rest)" : `var(--chart-${(at % COLOURS) + 1})`;
}
