import { expect, test } from "bun:test";
import { join } from "node:path";
import { chosenTestFiles, testFilesOf, unknownTestOption } from "./test-options.ts";

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

const BATCH = "gateway/src/kit/batch/batch.test.ts";
const BANS = "test/tidy/bans.test.ts";

test.each([
  ["gateway/src/kit", [BATCH]],
  ["./test/tidy", [BANS]],
  ["batch.test.ts", [BATCH]],
  ["/house/gateway/src/kit/batch/batch.test.ts", [BATCH]],
  // What a shell without support for trailing comments makes of one.
  ["#", []],
  ["gateway/src/kti", []],
  ["./kit", []],
])("chosenTestFiles of %p", (path, chosen) => {
  const tree = { root: "/house", files: [BATCH, BANS] };
  expect([...chosenTestFiles([path], tree)]).toEqual([[path, chosen]]);
});

test("chosenTestFiles takes no option or its value for a path", () => {
  const args = ["-t", "nothing of the kind", "--seed", "7", "--timeout=500", "--long", "gateway/src/kit"];
  expect([...chosenTestFiles(args, { root: "/house", files: [BATCH] }).keys()]).toEqual(["gateway/src/kit"]);
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
