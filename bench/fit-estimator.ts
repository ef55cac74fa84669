/**
 * Fits the token estimator and reports its error per conversation, against exact counts by o200k. `--write` replaces
 * the table that the estimator reads. Estimates influence compaction, so a new table is a new version of the algorithm:
 * raise ALGORITHM_VERSION with it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { KNOWN } from "../compaction/src/tokens/known-words.ts";
import { COSTS } from "../compaction/src/tokens/token-costs.ts";
import { commandOptions } from "../scripts/command-options.ts";
import { readCorpus, textsOf } from "./efficiency-corpus.ts";
import {
  addUp,
  estimateOf,
  fitCosts,
  type Row,
  rowsOf,
  type Sums,
  setCosts,
  sumsOf,
} from "./fit-estimator-costs.ts";
import { learnWords } from "./fit-estimator-known.ts";
import { percentile, renderTable } from "./table.ts";

const USAGE = "Usage: npm run bench fit-estimator -- --corpus PATH [--write]";
const TABLE = join(import.meta.dir, "..", "compaction", "src", "tokens", "token-table.json");
const FOLDS = 5n;

type Sample = {
  readonly source: string;
  readonly fold: string;
  readonly rows: readonly Row[];
  readonly sums: Sums;
};

export async function run(args: readonly string[]): Promise<void> {
  const options = { corpus: { type: "string" }, write: { type: "boolean" } } as const;
  const values = commandOptions(USAGE, options, args);
  learnWords();
  const samples = readCorpus(values.corpus).flatMap(({ source, group, messages }): Sample[] => {
    const rows = rowsOf(messages.flatMap(textsOf).filter((text) => text !== ""));
    return rows.length === 0
      ? []
      : [{ source, fold: String(Bun.hash(group) % FOLDS), rows, sums: sumsOf(rows) }];
  });
  const costs = fitCosts(addUp(samples.map(({ sums }) => sums)));
  const errors = {
    group: errorsWithout(samples, ({ fold }) => fold),
    source: errorsWithout(samples, ({ source }) => source),
    fitted: samples.map(({ rows }) => errorOf(rows, costs)),
  };
  print(samples, Object.values(errors));
  if (values.write)
    writeTable(samples, costs, {
      ownGroupUnseen: meanAndP95(errors.group),
      ownSourceUnseen: meanAndP95(errors.source),
    });
}

function errorOf(rows: readonly Row[], costs: ReadonlyMap<number, number>): number {
  const exact = rows.reduce((tokens, row) => tokens + row.exact, 0);
  return Math.abs(rows.reduce((tokens, row) => tokens + estimateOf(row, costs), 0) / exact - 1) * 100;
}

/** In percent, each conversation with costs fitted on the other parts alone. */
function errorsWithout(samples: readonly Sample[], partOf: (sample: Sample) => string): number[] {
  const parts = [...new Set(samples.map(partOf))];
  const costs = new Map(
    parts.map((part) => [
      part,
      fitCosts(addUp(samples.filter((one) => partOf(one) !== part).map(({ sums }) => sums))),
    ]),
  );
  return samples.map((sample) => errorOf(sample.rows, costs.get(partOf(sample)) ?? new Map()));
}

function meanAndP95(errors: readonly number[]): { readonly mean: number; readonly p95: number } {
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const p95 = percentile(
    errors.toSorted((one, other) => one - other),
    0.95,
  );
  return { mean: Number(mean.toFixed(2)), p95: Number(p95.toFixed(2)) };
}

function print(samples: readonly Sample[], kinds: readonly (readonly number[])[]): void {
  const rows = [...new Set(samples.map(({ source }) => source)), "all"].map((name) => {
    const isIn = (_: unknown, at: number) => name === "all" || samples[at]?.source === name;
    const cells = kinds.map((errors) => {
      const { mean, p95 } = meanAndP95(errors.filter(isIn));
      return `${mean.toFixed(2)} / ${p95.toFixed(1)}`;
    });
    return [name, String(samples.filter(isIn).length), ...cells];
  });
  console.log(
    renderTable(["error % mean / p95", "chats", "own group unseen", "own source unseen", "fitted"], rows),
  );
}

function writeTable(
  samples: readonly Sample[],
  costs: ReadonlyMap<number, number>,
  errorPercent: object,
): void {
  const tokens = samples.flatMap(({ rows }) => rows).reduce((sum, { exact }) => sum + exact, 0);
  setCosts(costs);
  const table = {
    made: {
      by: "npm run bench fit-estimator -- --corpus PATH --write",
      on: new Date().toISOString().slice(0, 10),
      from: `${samples.length} conversations of ${tokens} tokens of o200k, and its vocabulary`,
      errorPercent,
      read: "What the costs are: token-costs.ts. The words that are one token, a bit for each: known-words.ts.",
    },
    costs: [...COSTS],
    known: Buffer.from(KNOWN.buffer).toString("base64"),
  };
  writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
  Bun.spawnSync([process.execPath, "x", "biome", "format", "--write", TABLE]);
}
