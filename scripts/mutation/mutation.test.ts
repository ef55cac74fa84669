import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AREAS } from "./areas.ts";
import { explains, loadExplanations } from "./explained.ts";
import { mutantsOfSql } from "./mutate-sql.ts";
import { mutantsOfTypeScript } from "./mutate-typescript.ts";
import { sqlFunctions, standingFunctions } from "./standing-functions.ts";
import { candidatesOf, tryMutants } from "./try-mutants.ts";

const ROOT = join(import.meta.dir, "..", "..");
const changesOf = (text: string) => mutantsOfTypeScript("a.ts", text).map(({ change }) => change);

describe("mutants of TypeScript", () => {
  test.each([
    ["export const f = (a: number, b: number) => a < b;", ["< → <="]],
    ["export const f = (a: number) => a >= 10;", [">= → >", "10 → 11"]],
    ["export const f = (a: bigint) => a * 1_000n;", ["* → /", "1_000n → 1001n"]],
    ["export const f = (a: boolean, b: boolean) => a && !b;", ["&& → ||", "! → nothing"]],
    ["export const f = (a?: string) => a ?? true;", ["?? → &&", "true → false"]],
    ["export const f = (a: string) => /^x$/.test(a);", ["/^x$/ → /x$/", "/^x$/ → /^x/"]],
    ["export const f = (a: boolean) => (a ? g : h);", ["? → && false ?", "? → || true ?"]],
    ["export const f = (round: number) => Math.round(round);", ["round → floor"]],
    ["export function f(a: number, b: number) { g(a, b); }", ["g(a, b); → ;", "a, b → b, a"]],
    ["export function f(a: boolean) { if (a) throw new Error(); }", ["a → false", "throw new Error(); → ;"]],
  ])("%s", (text, expected) => {
    expect(changesOf(text).toSorted()).toEqual(expected.toSorted());
  });

  test("log lines, fail points, assertions and unreachable code are not removed", () => {
    expect(
      changesOf(
        "export async function f(a: A) {\nif (a > 0) log.warn(b);\ndeps.log.warn(b); log.error(c); await failpoint('x'); assert(a, b); switch (a) { default: return unreachable(a); } }",
      ),
    ).toEqual(["a, b → b, a"]);
  });

  test("types, comments and strings are not changed", () => {
    expect(
      changesOf("type A = Map<string, 1 | 2>; // a < b\nexport const b = 'a < b' as A extends 1 ? 2 : 3;"),
    ).toEqual([]);
  });

  test("equal changes in a line are numbered, and a mutant knows its line without its indentation", () => {
    const [first, second] = mutantsOfTypeScript("a.ts", "\n\n  export const f = (a: number) => a + a + a;");
    expect([first?.change, second?.change, first?.line]).toEqual(["+ → -", "+ → - (2)", 3]);
    expect(first?.code).toBe("export const f = (a: number) => a + a + a;");
  });
});

test("mutants of SQL are in the bodies of functions, not in their comments and strings", () => {
  const sql =
    "create function f(a int) returns int language plpgsql as $$\nbegin\n  -- a < b\n  if a > 0 then return a + 1; end if;\n  return least(a, 2) - length('x = y');\nend $$;\n";
  const made = sqlFunctions(`select 1;\n${sql}`);
  expect(made.map(({ name }) => name)).toEqual(["f"]);
  const changes = made
    .flatMap((each) => mutantsOfSql("m.sql", `select 1;\n${sql}`, each))
    .map(({ change }) => change);
  expect(changes.toSorted()).toEqual(
    [
      "> → >=",
      "0 → 1",
      "+ → -",
      "1 → 2",
      "least → greatest",
      "2 → 3",
      "- → +",
      "a > 0 → false",
      "return a + 1; → null;",
      "return least(a, 2) - length('x = y'); → null;",
    ].toSorted(),
  );
});

test("only the latest definition of a SQL function is mutated", () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-migrations-"));
  mkdirSync(join(folder, "gateway", "migrations"), { recursive: true });
  const made = (name: string, answer: number) =>
    `create or replace function ${name}() returns int language sql as $$ select a < ${answer} $$;\n`;
  const write = (file: string, sql: string) =>
    writeFileSync(join(folder, "gateway", "migrations", file), sql);
  write("0000_first.sql", made("kept", 1) + made("replaced", 2) + made("remade", 3) + made("dropped", 4));
  write("0001_second.sql", made("replaced", 5));
  write("0002_third.sql", `drop function remade();\n${made("remade", 6)}drop function dropped();\n`);
  try {
    const area = { name: "planted", files: ["gateway/migrations/0000_first.sql"], tests: [] };
    const files = ["0000_first", "0001_second", "0002_third"].map((name) => `gateway/migrations/${name}.sql`);
    const changed = files.flatMap((path) => candidatesOf(folder, area, path));
    expect(changed.map(({ functionName, change }) => `${functionName} ${change}`)).toEqual([
      "kept < → <=",
      "kept 1 → 2",
      "replaced < → <=",
      "replaced 5 → 6",
      "remade < → <=",
      "remade 6 → 7",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("the mutation areas and explanations", () => {
  test("include every SQL function that touches credits", () => {
    const mutated = new Set(AREAS.flatMap(({ files }) => files));
    const forgotten = [...standingFunctions(ROOT).values()]
      .filter(
        ({ sql, path }) => /\b(accounts|entries|grants|holds|payments)\b/.test(sql) && !mutated.has(path),
      )
      .map(({ name, path }) => `${name} of ${path}`);
    expect(forgotten, "Put the migration into an area of scripts/mutation/areas.ts.").toEqual([]);
  });

  test("name files that exist", () => {
    const named = AREAS.flatMap(({ files, tests }) => [...files, ...tests.flat()]);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("give a reason for each explanation, and their mutants still exist", () => {
    const candidates = AREAS.flatMap((area) => area.files.flatMap((path) => candidatesOf(ROOT, area, path)));
    const idle = loadExplanations().flatMap((explanation) =>
      explanation.changes
        .filter((change) => !candidates.some((each) => explains({ ...explanation, changes: [change] }, each)))
        .map((change) => `${explanation.path}: ${change} | ${explanation.code}`),
    );
    expect(
      idle,
      "The line has changed: see whether its reason still holds in scripts/mutation/explained.json.",
    ).toEqual([]);
    expect(loadExplanations().filter(({ reason }) => reason.length < 20)).toEqual([]);
  }, 60_000);
});

describe("a sample module", () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-planted-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("with a good test leaves no mutant, and with a weak one leaves two; the tree stays unchanged", async () => {
    const source = "export const isAdult = (age: number) => age >= 18;\n";
    mkdirSync(join(folder, "gateway"));
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "gateway", "adult.ts"), source);
    writeFileSync(
      join(folder, "gateway", "adult.test.ts"),
      `import { expect, test } from "bun:test";
import { isAdult } from "./adult.ts";
test("good", () => expect([isAdult(18), isAdult(3)]).toEqual([true, false]));`,
    );
    const area = { name: "planted", files: ["gateway/adult.ts"], tests: [] };
    const survived: string[] = [];
    const killed: string[] = [];
    await tryMutants({
      root: folder,
      candidates: candidatesOf(folder, area, "gateway/adult.ts"),
      places: 1,
      onVerdict: ({ change }, verdict) => (verdict === "killed" ? killed : survived).push(change),
    });
    expect([killed, survived]).toEqual([[">= → >", "18 → 19"], []]);

    writeFileSync(
      join(folder, "gateway", "adult.test.ts"),
      `import { expect, test } from "bun:test";
import { isAdult } from "./adult.ts";
test("weak", () => expect([isAdult(19), isAdult(3)]).toEqual([true, false]));`,
    );
    killed.length = 0;
    await tryMutants({
      root: folder,
      candidates: candidatesOf(folder, area, "gateway/adult.ts"),
      places: 1,
      onVerdict: ({ change }, verdict) => (verdict === "killed" ? killed : survived).push(change),
    });
    expect([killed, survived]).toEqual([[], [">= → >", "18 → 19"]]);
    expect(readFileSync(join(folder, "gateway", "adult.ts"), "utf8")).toBe(source);
  }, 60_000);
});
