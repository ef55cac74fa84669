import { expect, test } from "bun:test";
import { readSqlSources, type SqlSources } from "../../gateway/src/db/sql-sources.ts";
import { readProjectFile, type SourceFile, serviceFiles, tree } from "./source-tree.ts";
import { codeOf } from "./tokens.ts";
import { expectNone, type Violation } from "./violation.ts";

const BEGINS_LIKE_SQL =
  /^\s*(select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\S+\s+as\s*\(|create\s+(or\s+replace\s+|unique\s+|temp(orary)?\s+|unlogged\s+)?(table|index|view|function|trigger|type|sequence|schema|database|role|extension)\s|alter\s+(table|role|system|database)\s|drop\s+(table|database|schema)\s|(un)?listen\s|notify\s)/i;
const QUERY_VERBS = ["query", "selectFrom", "insertInto", "updateTable", "deleteFrom"];
const OTHER_CLOCK =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(current_date|current_time|current_timestamp|localtime|localtimestamp)\b/i;

const mayQuery = (path: string) => /(^|\/|-)store\.ts$/.test(path) || path.startsWith("gateway/src/db/");

test("SQL is only in store files, gateway/src/db and gateway/sql", () => {
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

const sqlFiles = tree.filter(({ path }) => path.startsWith("gateway/sql/") && path.endsWith(".sql"));

test("SQL in gateway/sql takes the time from bursar_now()", () => {
  const wrong = sqlFiles
    .filter(({ path }) => path !== "gateway/sql/functions/bursar_now.sql")
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, at) => {
        const [clock] = OTHER_CLOCK.exec(line.replace(/--.*/, "")) ?? [];
        return clock === undefined ? [] : [{ path, line: at + 1, what: clock }];
      }),
    );
  expectNone(wrong, "Write bursar_now(): it is the one clock that tests can move.");
});

const ONE_FUNCTION = /^(?:--.*\n)*create or replace function (\w+)\([^$]*\$\$[^$]*\$\$;\n$/;

/** Functions are in files of their own, so that there is one definition of each and its file can be guessed. */
const isMisplaced = ({ path, text }: Pick<SourceFile, "path" | "text">) =>
  path.startsWith("gateway/sql/functions/")
    ? path !== `gateway/sql/functions/${ONE_FUNCTION.exec(text)?.[1]}.sql`
    : /^create (or replace )?function/m.test(text);

test("each file of gateway/sql/functions makes the function of its name and nothing else, and no other file makes one", () => {
  const wrong = sqlFiles
    .filter(isMisplaced)
    .map(({ path }) => ({ path, what: "not the one function of its name" }));
  expectNone(
    wrong,
    "Write functions/NAME.sql: comments and one `create or replace function NAME(…) … $$ … $$;`; drop one in a change.",
  );
  const text = "-- Why.\ncreate or replace function one() returns int language sql as $$ select 1 $$;\n";
  expect(isMisplaced({ path: "gateway/sql/functions/one.sql", text })).toBe(false);
  expect(isMisplaced({ path: "gateway/sql/functions/other.sql", text })).toBe(true);
  expect(isMisplaced({ path: "gateway/sql/functions/one.sql", text: text + text })).toBe(true);
  expect(isMisplaced({ path: "gateway/sql/tables.sql", text })).toBe(true);
});

const CHANGE = /^changes\/(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)*(?:\.bindings)?\.sql$/;
const ofVersion = ({ name }: { name: string }) => Number(CHANGE.exec(name)?.[1]);

/** What is wrong with the number and the digest in gateway/sql/version, and with the changes that lead to it. */
function faultOfVersion(
  { version, digest, changes, baseTables }: SqlSources,
  recorded: string,
): string | null {
  if (recorded !== `${version} ${digest}\n`)
    return `The files have changed: raise the number in gateway/sql/version, and write beside it ${digest}`;
  const misnamed = changes.find((change) => !(ofVersion(change) > 31 && ofVersion(change) <= version));
  if (misnamed) return `${misnamed.name}: name it changes/00${version}_what_it_brings.sql, or .bindings.sql`;
  if (changes.length > 0 && baseTables.length < 2)
    return "The first change keeps tables.sql as it was as tables-0031.sql: backups of the base are restored into it.";
  return null;
}

test("gateway/sql/version rises with every change of the files beside it, and changes have the numbers of versions", () => {
  const sources = readSqlSources();
  const recorded = readProjectFile("gateway/sql/version");
  expect(faultOfVersion(sources, recorded)).toBeNull();
  expect(faultOfVersion({ ...sources, digest: "of other files" }, recorded)).toContain("raise the number");
  const withChange = (name: string) => ({ ...sources, changes: [{ name: `changes/${name}`, sql: "" }] });
  for (const name of [
    "0031_early.sql",
    `00${sources.version + 1}_late.sql`,
    "third.sql",
    "0032_a.b.sql",
    "0032_A.sql",
  ])
    expect(faultOfVersion(withChange(name), recorded)).toContain("name it");
  expect(faultOfVersion({ ...withChange("0032_any.sql"), baseTables: [] }, recorded)).toContain(
    "tables-0031.sql",
  );
  expect(faultOfVersion({ ...withChange("0032_any.sql"), baseTables: sources.tables }, recorded)).toBeNull();
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
