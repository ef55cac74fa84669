import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exactTokens } from "../../../bench/exact-tokens.ts";
import { estimateTokens } from "./estimate.ts";

const ROOT = join(import.meta.dir, "..", "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const filesIn = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

/** Texts that the fit has not seen, from this project, and the error allowed for each kind. */
const KINDS: readonly (readonly [percent: number, name: string, paths: readonly string[]])[] = [
  [3, "documents", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...filesIn("docs", ".md")]],
  [3, "TypeScript", filesIn("gateway/src/ledger", ".ts")],
  [3, "SQL", [...filesIn("gateway/sql", ".sql"), ...filesIn("gateway/sql/functions", ".sql")]],
  [4, "YAML", filesIn("gateway/catalog", ".yaml")],
  [10, "checksums", ["bun.lock"]],
];

describe("this project's own texts are estimated", () => {
  test.each(KINDS)("within %d %% of an exact count: %s", (percent, _, paths) => {
    const texts = paths.map((path) => read(path).slice(0, 60_000));
    const exact = texts.reduce((sum, text) => sum + exactTokens(text), 0);
    const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    expect(Math.abs(estimated / exact - 1) * 100).toBeLessThan(percent);
  });
});
