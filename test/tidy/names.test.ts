import { test } from "bun:test";
import { codeFiles, serviceFiles } from "./source-tree.ts";
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
