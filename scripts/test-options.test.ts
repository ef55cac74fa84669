import { expect, test } from "bun:test";
import { join } from "node:path";
import { idleTestPattern, testFilesOf, unknownTestOption } from "./test-options.ts";

test.each([
  [["gateway/src/kit", "--long"], undefined],
  [["--update-timings"], undefined],
  [["-t", "-5"], undefined],
  // The way the runs behind the figures in docs/reliability.md are started.
  [["--long", "test/faults", "--reporter=junit", "--reporter-outfile=/tmp/report.xml"], undefined],
  [["--frob"], "--frob"],
  [["gateway/src/kit", "--lnog"], "--lnog"],
])("unknownTestOption of %j", (args, unknown) => {
  expect(unknownTestOption(args)).toBe(unknown);
});

const FILES = ["gateway/src/kit/batch/batch.test.ts", "test/tidy/bans.test.ts"];

test.each([
  [
    ["gateway/src/kit", "./test/tidy", "batch.test.ts", "/house/gateway/src/kit/batch/batch.test.ts"],
    undefined,
  ],
  [["-t", "nothing of the kind", "--seed", "7", "--timeout", "500", "gateway/src/kit"], undefined],
  [["--seed=7", "--long", "-t", "src"], undefined],
  // What a shell without support for trailing comments makes of one.
  [["#", "tests", "it"], "#"],
  [["gateway/src/kit", "src/kti"], "src/kti"],
  [["./kit"], "./kit"],
])("idleTestPattern finds the path of %j that selects no file", (args, idle) => {
  expect(idleTestPattern(args, { root: "/house", files: FILES })).toBe(idle);
});

test("testFilesOf searches every folder that has tests", () => {
  const folders = new Set(testFilesOf(join(import.meta.dir, "..")).map((path) => path.split("/")[0]));
  expect([...folders].sort()).toEqual([
    "bench",
    "compaction",
    "console",
    "gateway",
    "sandbox",
    "scripts",
    "test",
  ]);
});
