import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FIGURES_FOLDER } from "./figure-file.ts";
import { saveWholeRun, whyNotKept } from "./whole-run.ts";

test("only a complete run in which everything held is kept", () => {
  expect(whyNotKept({ isWhole: true, hasHeld: true })).toBeNull();
  expect(whyNotKept({ isWhole: false, hasHeld: true })).toContain("a part of the whole");
  expect(whyNotKept({ isWhole: true, hasHeld: false })).toContain("not everything held");
});

test.each([
  { isWhole: false, hasHeld: true },
  { isWhole: true, hasHeld: false },
])("another run writes no figures: %j", (run) => {
  const name = "of-no-run";
  saveWholeRun({ name, command: "none", seed: null, figures: {}, tables: {} }, run);
  expect(existsSync(join(FIGURES_FOLDER, `${name}.json`))).toBe(false);
});
