import { expect, test } from "bun:test";
import { parseSummary, renderCounts, watchFailures } from "./test-summary.ts";

test("parseSummary reads the counts, including files that could not be loaded", () => {
  const output =
    "(pass) 12 pass\n\n 7 pass\n 2 skip\n 1 todo\n 4 fail\n 1 error\n 2 expect() calls\nRan 14 tests across 4 files. [19.00ms]\n";
  const counts = parseSummary(output);
  expect(counts).toEqual({ passed: 7, failed: 4, errors: 1, skipped: 3 });
});

test("parseSummary ignores colours", () => {
  const output =
    "\n\n\u001b[32m 3 pass\u001b[0m\n\u001b[2m 0 fail\u001b[0m\nRan 3 tests across 1 file. [1.00ms]\n";
  expect(parseSummary(output)).toEqual({ passed: 3, failed: 0, errors: 0, skipped: 0 });
});

test("parseSummary counts several files that could not be loaded", () => {
  const output = "\n\n 3 pass\n 6 fail\n 2 errors\nRan 9 tests across 6 files. [70.00ms]\n";
  expect(parseSummary(output)?.errors).toBe(2);
});

test("parseSummary finds no counts without a summary", () => {
  expect(parseSummary("error: out of memory\n")).toBeUndefined();
});

test("renderCounts shows skipped tests only if there are some", () => {
  expect(renderCounts({ passed: 5, failed: 0, skipped: 0 })).toBe("5 passed, 0 failed");
  expect(renderCounts({ passed: 5, failed: 1, skipped: 2 })).toBe("5 passed, 1 failed, 2 skipped");
});

test("renderCounts shows flaky tests", () => {
  expect(renderCounts({ passed: 5, failed: 0, skipped: 2, flaky: 1 })).toBe(
    "5 passed, 0 failed, 2 skipped, 1 flaky",
  );
});

test("watchFailures assigns a failure to the file named above it", () => {
  const failures = watchFailures();
  const printed = [
    "src/a.test.ts:",
    "(pass) one",
    "",
    "test/b.test.ts:",
    "\u001b[31m(fail)\u001b[0m two [1 ms]",
    "(fail) three [1 ms]",
  ];
  for (const text of printed) failures.line(text);
  expect([...failures.files]).toEqual(["test/b.test.ts"]);
  expect(failures.count).toBe(2);
});

test("watchFailures keeps what was printed before each failure, up to 120 lines", () => {
  const failures = watchFailures();
  const printed = [
    "src/a.test.ts:",
    "of the one that passes",
    "(pass) one",
    "error: expected 1, received 2",
    "(fail) two [1 ms]",
    "test/b.test.ts:",
    ...Array.from({ length: 500 }, (_, at) => `line ${at}`),
    "(fail) three [1 ms]",
    "",
    "2 tests failed:",
    "(fail) two [1 ms]",
  ];
  for (const text of printed) failures.line(text);
  expect(failures.details).toHaveLength(2);
  expect(failures.details[0]).toBe("src/a.test.ts:\nerror: expected 1, received 2\n(fail) two [1 ms]");
  expect(failures.details[1]?.split("\n")).toHaveLength(121);
  expect(failures.details[1]).toEndWith("line 499\n(fail) three [1 ms]");
});
