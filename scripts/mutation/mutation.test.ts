import { afterAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AREAS } from "./areas.ts";
import { explains, loadExplanations } from "./explained.ts";
import { mutantsOfTypeScript } from "./mutate-typescript.ts";
import { candidatesOf, mutantsOfSql, tryMutants } from "./try-mutants.ts";

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

test("mutants of SQL are in the body of a function, not in its comments and strings", () => {
  const sql =
    "-- a < b\ncreate function f(a int) returns int language plpgsql as $$\nbegin\n  -- a < b\n  if a > 0 then return a + 1; end if;\n  return least(a, 2) - length('x = y');\nend $$;\n";
  const changes = mutantsOfSql("f.sql", sql).map(({ change }) => change);
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

describe("the mutation areas and explanations", () => {
  test("include every SQL function that touches credits", () => {
    const mutated = new Set(AREAS.flatMap(({ files }) => files));
    const forgotten = readdirSync(join(ROOT, "gateway/sql/functions"))
      .map((name) => `gateway/sql/functions/${name}`)
      .filter((path) => {
        const sql = readFileSync(join(ROOT, path), "utf8").replaceAll(/--.*/g, "");
        return /\b(accounts|entries|grants|holds|payments)\b/.test(sql) && !mutated.has(path);
      });
    expect(forgotten, "Put the function into an area of scripts/mutation/areas.ts.").toEqual([]);
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
