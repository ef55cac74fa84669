import { test } from "bun:test";
import { codeFiles } from "./source-tree.ts";
import { expectNone } from "./violation.ts";

const SAYS_NOTHING = ["utils", "util", "helpers", "helper", "common", "types", "manager", "misc", "shared"];

test("files are named for the one thing they give", () => {
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

test("file names are kebab-case", () => {
  const wrong = codeFiles.filter(
    ({ path }) => !/^([a-z0-9-]+\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(tsx?|mjs)$/.test(path),
  );
  expectNone(
    wrong.map(({ path }) => ({ path, what: "is not kebab-case" })),
    "Rename it like key-codec.ts.",
  );
});
