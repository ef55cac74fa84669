import type { SeenFailures, TestCounts } from "./test-summary.ts";

/** More than these is no accident of a busy machine. */
const MAX_FILES_AGAIN = 3;

const GUARDS_CREDITS =
  /^(src\/(ledger|admission|billing|generation)\/|test\/(simulation|chaos)\/|test\/faults\/races\.)/;

/**
 * Hundreds of tests with processes, browsers and deadlines of their own share the machine; one that was only starved
 * passes alone. What guards credits gets no second look: a race that shows once in a thousand runs is a bug, and a run at
 * random would not even be the same one. Other faults do get it: they wait for starts, deaths and leases of real
 * processes, within limits that a busy machine breaks. Nor is there one where something failed that no line tells of, a
 * file that did not load or a runner that died: it would not be among the files that are run again.
 */
export function filesForAnotherLook(
  { failed, errors = 0 }: Pick<TestCounts, "failed" | "errors">,
  { count, files }: Pick<SeenFailures, "count" | "files">,
): string[] {
  if (failed === 0 || errors > 0 || count !== failed) return [];
  const isMoney = [...files].some((file) => GUARDS_CREDITS.test(file));
  return isMoney || files.has("") || files.size > MAX_FILES_AGAIN ? [] : [...files];
}
