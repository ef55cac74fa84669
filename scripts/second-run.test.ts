import { expect, test } from "bun:test";
import { filesToRunAgain } from "./second-run.ts";

const look = (...files: string[]) => lookAt({ failed: files.length, errors: 0 }, files);
const lookAt = (counts: { failed: number; errors: number }, files: string[]) =>
  filesToRunAgain(counts, { count: files.length, files: new Set(files) });

test("a few failed files are run again", () => {
  expect(look("gateway/src/http/app.test.ts", "test/browser/billing.test.ts")).toEqual([
    "gateway/src/http/app.test.ts",
    "test/browser/billing.test.ts",
  ]);
  expect(look("test/faults/process-death.test.ts")).toHaveLength(1);
});

test("nothing is run again if nothing failed, many failed, or the file is unknown", () => {
  expect(look()).toEqual([]);
  expect(look("a.test.ts", "b.test.ts", "c.test.ts", "d.test.ts")).toEqual([]);
  expect(look("")).toEqual([]);
});

test("nothing is run again if a failure has no line: a file that did not load, a runner that died", () => {
  expect(lookAt({ failed: 2, errors: 1 }, ["a.test.ts"])).toEqual([]);
  expect(lookAt({ failed: 1, errors: 1 }, ["a.test.ts"])).toEqual([]);
  expect(lookAt({ failed: 2, errors: 0 }, ["a.test.ts"])).toEqual([]);
});

test.each([
  "gateway/src/ledger/ledger.test.ts",
  "gateway/src/admission/admit.test.ts",
  "gateway/src/billing/stripe/top-ups-equal-payments.test.ts",
  "gateway/src/generation/paid-call/paid-call.test.ts",
  "test/simulation/ledger-simulation.test.ts",
  "test/chaos/random-run.test.ts",
  "test/faults/races.test.ts",
])("a test that guards credits is not run again, nor are others that failed beside it: %s", (file) => {
  expect(look(file)).toEqual([]);
  expect(look("gateway/src/http/app.test.ts", file)).toEqual([]);
});
