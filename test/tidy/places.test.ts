import { test } from "bun:test";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { tree } from "./source-tree.ts";
import { expectNone, type Violation } from "./violation.ts";

const ROOT = join(import.meta.dir, "..", "..");
const MACHINE_PATH = /(?<![\w.-])\/(?:home|Users|root|work)\/[\w.-]/;
// Written in parts, so that this file does not name them itself.
const REGISTRIES = [
  ["registry", "npmjs", "org"],
  ["registry", "yarnpkg", "com"],
  ["npm", "pkg", "github", "com"],
];

function linesThat(pattern: RegExp): Violation[] {
  return tree.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => {
      const [what] = pattern.exec(line) ?? [];
      return what === undefined ? [] : [{ path, line: at + 1, what }];
    }),
  );
}

test("no file contains a path of a particular machine", () => {
  expectNone(linesThat(MACHINE_PATH), "Use a path from the project's root, or a temporary folder.");
});

test("no file names the host of a package registry", () => {
  const hosts = new RegExp(REGISTRIES.map((parts) => parts.join("\\.")).join("|"), "i");
  expectNone(linesThat(hosts), "Leave the registry to npm's own settings.");
});

test("links between documents point to existing files", () => {
  const wrong = tree
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map((match) => match[1] ?? "")
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(ROOT, posix.join(posix.dirname(path), target))))
        .map((target) => ({ path, what: `links to ${target}` })),
    );
  expectNone(wrong, "Mend the link, or write the page.");
});

test("the files that documents mention exist", () => {
  const wrong = tree
    .filter(({ path }) => path.endsWith(".md") && path !== "CHANGELOG.md")
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /`((?:gateway|compaction|sandbox|console|test|scripts|bench|bin|deploy|docs)\/[\w./-]+)`/g,
        ),
      ]
        .map((match) => match[1] ?? "")
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => ({ path, what: `speaks of ${target}` })),
    );
  expectNone(wrong, "Mend the name in the document.");
});
