import { expect, test } from "bun:test";
import { expectNone } from "./violation.ts";
import { weights } from "./weight.ts";

/**
 * The most code tokens that each part may be made of. Ceilings only fall: what a feature adds, something else gives up,
 * or the feature is declined (docs/decisions/what-we-decline.md).
 */
const CEILINGS: Readonly<Record<string, number>> = {
  admission: 3_250,
  app: 15_350,
  assets: 8_450,
  billing: 14_900,
  catalog: 16_650,
  cli: 24_100,
  compaction: 31_050,
  config: 12_400,
  console: 102_050,
  contract: 5_050,
  db: 17_300,
  generation: 43_650,
  http: 135_400,
  identity: 21_550,
  jobs: 5_900,
  kit: 12_000,
  ledger: 13_900,
  mail: 2_250,
  media: 13_900,
  operations: 30_150,
  outbound: 26_100,
  outbox: 5_650,
  providers: 106_250,
  sandbox: 99_550,
  scripts: 27_650,
  sql: 19_800,
  telemetry: 6_200,
  usage: 8_550,
  version: 25,
  wires: 2_250,
};

/** A ceiling this far above what there is has been forgotten. */
const FORGOTTEN = 0.1;

const found = weights();

test("no part is heavier than its ceiling", () => {
  expectNone(
    [...found]
      .filter(([part, tokens]) => tokens > (CEILINGS[part] ?? 0))
      .map(([part, tokens]) => ({
        path: part,
        what: `${tokens} code tokens, at most ${CEILINGS[part] ?? 0}`,
      })),
    "Take out of this part what it no longer needs; a ceiling never rises.",
  );
});

test("every ceiling follows what has been taken away", () => {
  expectNone(
    Object.entries(CEILINGS)
      .filter(([part, most]) => most > (found.get(part) ?? 0) * (1 + FORGOTTEN) + 10)
      .map(([part, most]) => ({ path: part, what: `${found.get(part) ?? 0} code tokens, at most ${most}` })),
    "Lower the ceiling in test/tidy/weight.test.ts.",
  );
});

test("comments, blank lines and joined lines weigh nothing; code does, wherever it lies", () => {
  const weigh = (path: string, text: string) => weights([{ path, text, lineCount: 0 }]);
  const plain = weigh("gateway/src/kit/a.ts", "export const a = 1;\nexport const b = 2;");
  expect(plain).toEqual(new Map([["kit", 12]]));
  expect(
    weigh("gateway/src/kit/a.ts", "/** Why. */\nexport const a = 1; export const b = 2; // so\n"),
  ).toEqual(plain);
  expect(weigh("gateway/sql/a.sql", "select 1; -- one")).toEqual(new Map([["sql", 3]]));
  expect(weigh("gateway/src/kit/a.test.ts", "test();")).toEqual(new Map());
  expect(weigh("scripts/run.mjs", "run();")).toEqual(new Map([["scripts", 4]]));
});
