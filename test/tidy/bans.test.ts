import { describe, expect, test } from "bun:test";
import { inspectConfig } from "../../gateway/src/app/settings.ts";
import { VENDORS } from "../../gateway/src/providers/index.ts";
import { codeFiles, roomOf, type SourceFile, serviceFiles, testFiles } from "./source-tree.ts";
import { codeOf, type Token, tokensOf } from "./tokens.ts";
import { expectNone, type Violation } from "./violation.ts";

/** Places where consecutive tokens read like `words`. */
function places(files: readonly SourceFile[], words: readonly string[]): Violation[] {
  return files.flatMap((file) => {
    const code = codeOf(file);
    return code.flatMap((token, at) => {
      const isHere = words.every((word, ahead) => reads(code[at + ahead], word));
      return isHere ? [{ path: file.path, line: token.line, what: words.join("") }] : [];
    });
  });
}

function reads(token: Token | undefined, word: string): boolean {
  return token?.text === word && (token.kind === "word" || token.kind === "sign");
}

const outside = (...rooms: string[]) => serviceFiles.filter(({ path }) => !rooms.includes(roomOf(path)));
const inside = (...rooms: string[]) => serviceFiles.filter(({ path }) => rooms.includes(roomOf(path)));

test("only config reads the environment", () => {
  const files = outside("config");
  expectNone(
    [...places(files, ["process", ".", "env"]), ...places(files, ["Bun", ".", "env"])],
    "Read it in gateway/src/config, give it a name, a type and a line in docs/configuration.md, and pass it on.",
  );
});

test("environment variables that tests read are not reported as unknown settings", () => {
  const reads = /(?:\benv\["|\benv\.|\$\{?)(BURSAR_TEST_\w+)/g;
  const found = testFiles.flatMap(({ path, text }) =>
    [...text.matchAll(reads)].map(([, what = ""]) => ({ path, what })),
  );
  const { config } = inspectConfig(Object.fromEntries(found.map(({ what }) => [what, ""])), "/");
  const wrong = found.filter(({ what }) => config.unknownNames.includes(what));
  expect(found).not.toEqual([]);
  expectNone(wrong, "List it in gateway/src/config/config.ts: whoever runs tests would be warned of it.");
});

test("only the command line writes to the terminal", () => {
  expectNone(places(outside("cli", "root"), ["console", "."]), "Use the Log that is passed in.");
});

test("ledger, admission and billing take the time from the database", () => {
  const files = inside("ledger", "admission", "billing");
  expectNone(
    [...places(files, ["Date", ".", "now"]), ...places(files, ["new", "Date", "(", ")"])],
    "Use bursar_now() in SQL: clocks of machines differ, and tests move only the database's.",
  );
});

test("only the registry compares provider names", () => {
  const names: readonly string[] = [...Object.keys(VENDORS), "ai-sdk"];
  // In http these are names of wires, and it cannot import a provider anyway.
  const files = outside("http").filter(({ path }) => path !== "gateway/src/providers/registry.ts");
  const wrong = files.flatMap((file) =>
    codeOf(file).flatMap((token, at, code) => {
      const before = code[at - 1]?.text ?? "";
      const isCompared =
        ["===", "!==", "case"].includes(before) || ["===", "!=="].includes(code[at + 1]?.text ?? "");
      const isName = token.kind === "string" && names.includes(token.text);
      return isName && isCompared
        ? [{ path: file.path, line: token.line, what: `${before} "${token.text}"` }]
        : [];
    }),
  );
  expectNone(
    wrong,
    "Say what the provider can do in its config object and ask for that; a name is decided in gateway/src/providers/registry.ts.",
  );
});

describe("leftovers", () => {
  const commentsThat = (pattern: RegExp, files = codeFiles) =>
    files.flatMap((file) =>
      tokensOf(file)
        .filter(({ kind, text }) => kind === "comment" && pattern.test(text))
        .map(({ line, text }) => ({ path: file.path, line, what: text.trim().slice(0, 80) })),
    );

  test("no comment is a TODO or the like", () => {
    expectNone(commentsThat(/\b(TODO|FIXME|XXX|HACK)\b/), "Do it now, or write it into an issue.");
  });

  test("no comment silences the compiler or the linter", () => {
    expectNone(
      commentsThat(/@ts-(ignore|expect-error|nocheck)|biome-ignore/),
      "Mend what they point at: narrow the type, or parse the value at the edge.",
    );
  });
});
