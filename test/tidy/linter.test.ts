import { expect, test } from "bun:test";
import { readProjectFile } from "./source-tree.ts";

/** House rules that Biome checks better than a test could; `npm test` runs it. */
const HELD_BY_BIOME = [
  ["suspicious", "noExplicitAny"],
  ["style", "noNonNullAssertion"],
  ["style", "noDefaultExport"],
  ["style", "useImportType"],
] as const;

test("the linter refuses any, !, default exports and type imports without the keyword", () => {
  const { rules } = JSON.parse(readProjectFile("biome.json")).linter;
  const off = HELD_BY_BIOME.filter(([group, rule]) => rules[group]?.[rule] !== "error");
  expect(off, "Set these rules to error in biome.json again.").toEqual([]);
});

test("the compiler is strict", () => {
  const { compilerOptions } = JSON.parse(readProjectFile("tsconfig.json"));
  expect(compilerOptions).toMatchObject({ strict: true, noUncheckedIndexedAccess: true });
});
