/** More than these is no accident of a busy machine. */
const MAX_FILES_AGAIN = 3;

const GUARDS_CREDITS =
  /^(src\/(ledger|admission|billing|generation)\/|test\/(simulation|chaos)\/|test\/faults\/races\.)/;

/**
 * Hundreds of tests with processes, browsers and deadlines of their own share the machine; one that was only starved
 * passes alone. What guards credits gets no second look: a race that shows once in a thousand runs is a bug, and a run at
 * random would not even be the same one. Other faults do get it: they wait for starts, deaths and leases of real
 * processes, within limits that a busy machine breaks.
 */
export function filesForAnotherLook(failed: number, files: ReadonlySet<string>): string[] {
  const isMoney = [...files].some((file) => GUARDS_CREDITS.test(file));
  return failed === 0 || isMoney || files.has("") || files.size > MAX_FILES_AGAIN ? [] : [...files];
}
