export type TestCounts = { passed: number; failed: number; skipped: number };

/**
 * Reads the counts off the end of what `bun test` printed. Its JUnit file leaves out test files
 * that could not even be loaded; its summary counts them as failed. Undefined when there is none.
 */
export function parseSummary(output: string): TestCounts | undefined {
  const text = Bun.stripANSI(output);
  const end = text.lastIndexOf("\nRan ");
  if (end === -1) return undefined;
  const start = text.lastIndexOf("\n\n", end);
  const count = (word: string) => {
    const found = new RegExp(`^ *(\\d+) ${word}$`, "m").exec(text.slice(Math.max(start, 0), end));
    return Number(found?.[1] ?? 0);
  };
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip") + count("todo") };
}

/** The last line of a run. */
export function renderCounts(counts: TestCounts): string {
  const line = `${counts.passed} passed, ${counts.failed} failed`;
  return counts.skipped === 0 ? line : `${line}, ${counts.skipped} skipped`;
}
