import { expect, test } from "bun:test";
import { unknownTestOption } from "./test-options.ts";

test.each([
  [["src/kit", "--long"], undefined],
  [["--update-timings"], undefined],
  [["-t", "-5"], undefined],
  // As the runs behind the figures of reliability are started.
  [["--long", "test/faults", "--reporter=junit", "--reporter-outfile=/tmp/report.xml"], undefined],
  [["--frob"], "--frob"],
  [["src/kit", "--lnog"], "--lnog"],
])("%j", (args, unknown) => {
  expect(unknownTestOption(args)).toBe(unknown);
});
