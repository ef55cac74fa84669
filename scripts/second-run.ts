import type { SeenFailures, TestCounts } from "./test-summary.ts";

/** More failing files than this cannot be blamed on a busy machine. */
const MAX_FILES_AGAIN = 3;

const GUARDS_CREDITS =
  /^(gateway\/src\/(ledger|admission|billing|generation)\/|test\/(simulation|chaos)\/|test\/faults\/races\.)/;

/**
 * Hundreds of tests with their own processes, browsers and deadlines share the machine; one that was only starved
 * passes alone. Tests that guard credits are not rerun: a race that shows once in a thousand runs is a bug, and a
 * random run would not even be the same. Other fault tests are: they wait for starts, deaths and leases of real
 * processes, within limits that a busy machine breaks. Nor is anything rerun if a failure has no line of its own, such
 * as a file that did not load or a runner that died: it would not be among the files to rerun.
 */
export function filesToRunAgain(
  { failed, errors = 0 }: Pick<TestCounts, "failed" | "errors">,
  { count, files }: Pick<SeenFailures, "count" | "files">,
): string[] {
  if (failed === 0 || errors > 0 || count !== failed) return [];
  const isMoney = [...files].some((file) => GUARDS_CREDITS.test(file));
  return isMoney || files.has("") || files.size > MAX_FILES_AGAIN ? [] : [...files];
}
