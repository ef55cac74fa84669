import { saveFigures } from "./figure-file.ts";

type Run = {
  /** As large as the run whose figures the documents show, or larger. */
  readonly isWhole: boolean;
  /** Of a proof: one that failed is a fault to mend, and nothing to publish. A target that was missed is published as such. */
  readonly hasHeld?: boolean;
};

/** Saves what a run found where it may stand in the documents, and else says why it does not. */
export function saveWholeRun(found: Parameters<typeof saveFigures>[0], run: Run): void {
  const reason = whyNotKept(run);
  if (reason === null) saveFigures(found);
  else console.log(`\ndocs/figures/${found.name}.json stays as it is: ${reason}.`);
}

export function whyNotKept({ isWhole, hasHeld = true }: Run): string | null {
  if (!hasHeld) return "not everything held";
  return isWhole ? null : "a part of the whole must not stand in the documents as if it were all";
}
