import { expect, test } from "bun:test";
import { filesForAnotherLook } from "./second-look.ts";

const look = (...files: string[]) => filesForAnotherLook(files.length, new Set(files));

test("a few files that failed are looked at again", () => {
  expect(look("src/http/app.test.ts", "test/browser/billing.test.ts")).toEqual([
    "src/http/app.test.ts",
    "test/browser/billing.test.ts",
  ]);
  expect(look("test/faults/process-death.test.ts")).toHaveLength(1);
});

test("nothing is where nothing failed, where many did, or where it is unknown which", () => {
  expect(filesForAnotherLook(0, new Set())).toEqual([]);
  expect(look("a.test.ts", "b.test.ts", "c.test.ts", "d.test.ts")).toEqual([]);
  expect(look("")).toEqual([]);
});

test.each([
  "src/ledger/ledger.test.ts",
  "src/admission/admit.test.ts",
  "src/billing/stripe/top-ups-equal-payments.test.ts",
  "src/generation/paid-call.test.ts",
  "test/simulation/ledger-simulation.test.ts",
  "test/chaos/random-run.test.ts",
  "test/faults/races.test.ts",
])("what guards credits gets none, nor does whatever failed beside it: %s", (file) => {
  expect(look(file)).toEqual([]);
  expect(look("src/http/app.test.ts", file)).toEqual([]);
});
