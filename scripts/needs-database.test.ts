import { expect, test } from "bun:test";
import { join } from "node:path";
import { needsDatabase } from "./needs-database.ts";

const ROOT = join(import.meta.dir, "..");

test.each([
  ["a pure function", "gateway/src/kit/abort.test.ts", false],
  ["the ledger", "gateway/src/ledger/ledger.test.ts", true],
  ["a whole gateway, through the harness", "test/endpoints/chat.test.ts", true],
  ["a console in a browser, through two files", "test/browser/keys.test.ts", true],
  ["a file that is not there", "gateway/src/kit/nothing.test.ts", false],
])("%s: %p needs a database: %p", (_case, file, isNeeded) => {
  expect(needsDatabase([join(ROOT, file)])).toBe(isNeeded);
});
