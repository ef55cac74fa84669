import { saveFigures } from "./figure-file.ts";

type Run = {
  /** True if at least as large as the run whose figures the documents show. */
  readonly isWhole: boolean;
  /**
   * For a proof: a failed one is to be fixed, not published. A benchmark that misses its target is published as such.
   */
  readonly hasHeld?: boolean;
};

/** Saves the figures of a run if they may be in the documents, and otherwise prints why not. */
export function saveWholeRun(found: Parameters<typeof saveFigures>[0], run: Run): void {
  const reason = whyNotKept(run);
  if (reason === null) saveFigures(found);
  else console.log(`\ndocs/figures/${found.name}.json stays as it is: ${reason}.`);
}

export function whyNotKept({ isWhole, hasHeld = true }: Run): string | null {
  if (!hasHeld) return "not everything held";
  return isWhole ? null : "a part of the whole must not be published as if it were everything";
}
