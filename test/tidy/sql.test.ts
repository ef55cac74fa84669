import { expect, test } from "bun:test";
import { join } from "node:path";
import { standingFunctions } from "../../scripts/mutation/standing-functions.ts";
import { readProjectFile, type SourceFile, serviceFiles, tree } from "./source-tree.ts";
import { codeOf } from "./tokens.ts";
import { expectNone, type Violation } from "./violation.ts";

const BEGINS_LIKE_SQL =
  /^\s*(select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\S+\s+as\s*\(|create\s+(or\s+replace\s+|unique\s+|temp(orary)?\s+|unlogged\s+)?(table|index|view|function|trigger|type|sequence|schema|database|role|extension)\s|alter\s+(table|role|system|database)\s|drop\s+(table|database|schema)\s|(un)?listen\s|notify\s)/i;
const QUERY_VERBS = ["query", "selectFrom", "insertInto", "updateTable", "deleteFrom"];
const OTHER_CLOCK =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(current_date|current_time|current_timestamp|localtime|localtimestamp)\b/i;

const mayQuery = (path: string) => /(^|\/|-)store\.ts$/.test(path) || path.startsWith("gateway/src/db/");

test("SQL is only in store files, gateway/src/db and gateway/migrations", () => {
  const wrong = serviceFiles
    .filter(({ path }) => !mayQuery(path))
    .flatMap((file) => [...queriesOf(file), ...sqlOf(file)]);
  expectNone(wrong, "Move the query into the folder's store.ts, behind a function named load… or save….");
});

test("SQL in the code takes the time from bursar_now()", () => {
  const wrong = serviceFiles.flatMap((file) =>
    codeOf(file)
      .filter(({ kind, text }) => (kind === "string" || kind === "template") && OTHER_CLOCK.test(text))
      .map(({ line, text }) => ({ path: file.path, line, what: OTHER_CLOCK.exec(text)?.[0] ?? "" })),
  );
  expectNone(wrong, "Write bursar_now(): it is the one clock that tests can move.");
});

const migrations = tree.filter(({ path }) => path.startsWith("gateway/migrations/"));

test("migrations are numbered without gaps, and none goes down", () => {
  const names = migrations.map(({ path }) => path.slice("gateway/migrations/".length)).toSorted();
  const misnamed = names.filter((name) => !/^\d{4}_[a-z0-9]+(_[a-z0-9]+)*\.sql$/.test(name));
  expect(misnamed, "Name a migration 0007_what_it_brings.sql; there is no way down.").toEqual([]);
  expect(
    names.map((name) => Number(name.slice(0, 4))),
    "Give the new migration the next free number.",
  ).toEqual(names.map((_, at) => at));
});

test("migrations take the time from bursar_now()", () => {
  const wrong = migrations
    .filter(({ path }) => path !== "gateway/migrations/0000_clock.sql")
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => {
        const [clock] = OTHER_CLOCK.exec(line.replace(/--.*/, "")) ?? [];
        return clock === undefined ? [] : [{ path, line: at + 1, what: clock }];
      }),
    );
  expectNone(wrong, "Write bursar_now(): it is the one clock that tests can move.");
});

test("ARCHITECTURE lists for every SQL function the migration that defines it now", () => {
  const stands = [...standingFunctions(join(import.meta.dir, "..", "..")).values()].map(
    ({ name, path }) => `${name} in ${path.slice("gateway/migrations/".length)}`,
  );
  const said = readProjectFile("ARCHITECTURE.md")
    .split("\n")
    .flatMap((line) => {
      const [, file, cell = ""] = /^\| `(\d{4}_\w+\.sql)` +\|(.*)\|$/.exec(line) ?? [];
      return file === undefined ? [] : [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} in ${file}`);
    });
  expect(
    said.toSorted(),
    'Correct "Where each SQL function is now" in ARCHITECTURE.md: what a migration replaces moves to it.',
  ).toEqual(stands.toSorted());
});

function queriesOf(file: SourceFile): Violation[] {
  return codeOf(file).flatMap((token, at, code) => {
    const isCall = code[at - 1]?.text === "." && ["(", "<"].includes(code[at + 1]?.text ?? "");
    const isVerb = token.kind === "word" && QUERY_VERBS.includes(token.text);
    return isCall && isVerb ? [{ path: file.path, line: token.line, what: `.${token.text}(` }] : [];
  });
}

function sqlOf(file: SourceFile): Violation[] {
  return codeOf(file)
    .filter(({ kind, text }) => (kind === "string" || kind === "template") && BEGINS_LIKE_SQL.test(text))
    .map(({ line, text }) => ({
      path: file.path,
      line,
      what: text.trim().split("\n")[0]?.slice(0, 60) ?? "",
    }));
}
