import { expect, test } from "bun:test";
import { codeFiles, readProjectFile, serviceFiles } from "./source-tree.ts";
import { codeOf } from "./tokens.ts";
import { expectNone } from "./violation.ts";

const SAYS_NOTHING = ["utils", "util", "helpers", "helper", "common", "types", "manager", "misc", "shared"];

test("file names contain no empty words such as utils or helpers", () => {
  const wrong = codeFiles.filter(({ path }) => {
    const name =
      path
        .split("/")
        .at(-1)
        ?.replace(/(\.test)?\.(tsx?|mjs)$/, "") ?? "";
    return name.split("-").some((word) => SAYS_NOTHING.includes(word));
  });
  expectNone(
    wrong.map(({ path }) => ({ path, what: "says nothing" })),
    "Name the file for what it gives; if it gives several things, split it.",
  );
});

/** Old words and what is said instead, from the second table of the glossary. */
const REPLACED = [
  ...(readProjectFile("docs/glossary.md").split("## Words that were replaced")[1] ?? "").matchAll(
    /^\| (.+?) \| (.+?) \|$/gm,
  ),
]
  .flatMap(([, old = "", now = ""]) =>
    old.split(", ").map((word) => ({ word: word.replaceAll(" ", "-"), now })),
  )
  .filter(({ word }) => /^[a-z]+(-[a-z]+)*$/.test(word) && word !== "old");

const saysOldWord = (path: string) => {
  const name = `-${path.split("/").at(-1)?.replace(/\..*$/, "")}-`;
  return REPLACED.find(({ word }) => name.includes(`-${word}-`));
};

test("file names contain no word that the glossary has replaced", () => {
  expect(REPLACED.length).toBeGreaterThan(5);
  expect(saysOldWord("gateway/src/ledger/lone-call.test.ts")?.now).toBe("single");
  expectNone(
    codeFiles.flatMap(({ path }) => {
      const found = saysOldWord(path);
      return found === undefined ? [] : [{ path, what: `says ${found.word}, not ${found.now}` }];
    }),
    "Take the word of docs/glossary.md.",
  );
});

test("file names are kebab-case", () => {
  const wrong = codeFiles.filter(
    ({ path }) => !/^([a-z0-9-]+\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(tsx?|mjs)$/.test(path),
  );
  expectNone(
    wrong.map(({ path }) => ({ path, what: "is not kebab-case" })),
    "Rename it like key-codec.ts.",
  );
});

test("log events are snake_case", () => {
  const wrong = serviceFiles.flatMap((file) =>
    codeOf(file).flatMap(({ kind, text, line }, at, code) => {
      const [log, dot, level, open] = code.slice(Math.max(0, at - 4), at).map((before) => before.text);
      const isEvent =
        kind === "string" && log === "log" && dot === "." && open === "(" && /^[a-z]+$/.test(level ?? "");
      return isEvent && !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(text) ? [{ path: file.path, line, what: text }] : [];
    }),
  );
  expectNone(wrong, "Write the event like lease_lost: who searches a log finds all of them in one way.");
});
