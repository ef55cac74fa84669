const COLOURS = 8;

/** Of the parts of a report, in their order. */
export function partColour(at: number, isRest: boolean): string {
  return isRest ? "var(--chart-rest)" : `var(--chart-${(at % COLOURS) + 1})`;
}
