export type TestCounts = {
  passed: number;
  failed: number;
  /** Files that could not even be loaded; included in `failed`. */
  errors?: number;
  skipped: number;
  flaky?: number;
};

/** Failures as seen in the lines of a run. */
export type SeenFailures = {
  readonly count: number;
  readonly files: ReadonlySet<string>;
  /** For each failure, its file and its output as printed. */
  readonly details: readonly string[];
};

/** The last lines before a failure say what it was. */
const MOST_LINES_OF_A_FAILURE = 120;
const MOST_DETAILS = 10;

/**
 * Reads the counts from the end of the output of `bun test`. Its JUnit file leaves out test files that could not be
 * loaded; its summary counts them as failed. Undefined if there is no summary.
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
  return {
    passed: count("pass"),
    failed: count("fail"),
    errors: count("errors?"),
    skipped: count("skip") + count("todo"),
  };
}

/** The last line of a run. */
export function renderCounts(counts: TestCounts): string {
  const { passed, failed, skipped, flaky = 0 } = counts;
  const line = `${passed} passed, ${failed} failed`;
  return [
    line,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
  ].join(", ");
}

/** Reads line by line how many tests failed, and in which files. A file that did not load has no such line. */
export function watchFailures(): SeenFailures & { line(text: string): void } {
  const files = new Set<string>();
  const details: string[] = [];
  let count = 0;
  let current = "";
  let hasEnded = false;
  let said: string[] = [];
  return {
    files,
    details,
    get count() {
      return count;
    },
    line(text) {
      const plain = Bun.stripANSI(text);
      // The list at the end repeats the failures without their files.
      hasEnded ||= /^\d+ tests? failed:$/.test(plain);
      if (hasEnded) return;
      const file = /^(\S+\.test\.tsx?):$/.exec(plain)?.[1];
      if (file !== undefined || /^\((pass|skip|todo)\) /.test(plain)) {
        current = file ?? current;
        said = [];
        return;
      }
      said.push(text);
      if (said.length > MOST_LINES_OF_A_FAILURE) said.shift();
      if (!plain.startsWith("(fail) ")) return;
      count++;
      files.add(current);
      if (details.length < MOST_DETAILS) details.push([`${current}:`, ...said].join("\n"));
      said = [];
    },
  };
}
