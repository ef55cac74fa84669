/** One thing that must hold, and the places where it did not. */
export type Check = {
  readonly what: string;
  /** How much was examined, as text for the report. */
  readonly looked: string;
  readonly faults: readonly string[];
};

/** Enough to see what is wrong; the logs have the rest. */
const MOST_FAULTS = 20;

export function createFaults(): { readonly list: string[]; count: number; add(fault: string): void } {
  const list: string[] = [];
  return {
    list,
    count: 0,
    add(fault) {
      this.count++;
      if (list.length < MOST_FAULTS) list.push(fault);
    },
  };
}
