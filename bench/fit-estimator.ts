/**
 * Fits the token estimator and reports its error per conversation, against exact counts by o200k. `--write` replaces
 * the table that the estimator reads. Estimates influence compaction, so a new table is a new version of the algorithm:
 * raise ALGORITHM_VERSION with it.
 */

import { estimateTokens } from "../compaction/src/tokens/estimate.ts";
import { commandOptions } from "../scripts/command-options.ts";
import { readCorpus } from "./efficiency-corpus.ts";
import { fitCosts } from "./fit-estimator-costs.ts";
import { type ErrorRow, measure, summarize } from "./fit-estimator-errors.ts";
import { makeFilter } from "./fit-estimator-filter.ts";
import { type Sample, samplesOf } from "./fit-estimator-samples.ts";
import { writeTable } from "./fit-estimator-table.ts";
import { tallyOf } from "./fit-estimator-tally.ts";
import { renderTable } from "./table.ts";

const USAGE = "Usage: npm run bench fit-estimator -- --corpus PATH [--json] [--write]";

export async function run(args: readonly string[]): Promise<void> {
  const values = commandOptions(
    USAGE,
    { corpus: { type: "string" }, json: { type: "boolean" }, write: { type: "boolean" } },
    args,
  );
  const samples = samplesOf(readCorpus(values.corpus));
  const filter = makeFilter();
  const tallies = samples.map((sample) => tallyOf(sample, filter));
  const measured = measure(samples, tallies);
  const rows = summarize(measured);
  const megabytesPerSecond = speedOf(samples);
  if (values.json) console.log(JSON.stringify({ rows, megabytesPerSecond }));
  else print(rows, megabytesPerSecond);
  const [total] = rows.slice(-1);
  if (values.write && total) writeTable({ filter, costs: fitCosts(tallies), total });
}

function print(rows: readonly ErrorRow[], megabytesPerSecond: number): void {
  const pair = ({ mean, p95 }: { mean: number; p95: number }) => `${mean.toFixed(2)} / ${p95.toFixed(1)}`;
  const header = [
    "error % mean / p95",
    "chats",
    "tokens",
    "own group unseen",
    "own source unseen",
    "as committed",
  ];
  const cells = rows.map((row) => [
    row.source,
    String(row.conversations),
    row.tokens.toLocaleString("en"),
    pair(row.byGroup),
    pair(row.bySource),
    pair(row.asCommitted),
  ]);
  console.log(renderTable(header, cells));
  console.log(`\n${megabytesPerSecond.toFixed(0)} MB/s, the best of short rounds over all texts`);
}

const ROUND_CHARACTERS = 60_000;
const ROUNDS = 40;

/** In short rounds, taking the best of each: a busy moment of the machine must not count. */
function speedOf(samples: readonly Sample[]): number {
  const texts = samples.flatMap(({ texts }) => texts).filter((_, at) => at % 10 === 0);
  let characters = 0;
  let nanoseconds = 0;
  while (texts.length > 0) {
    const some: string[] = [];
    for (let size = 0; size < ROUND_CHARACTERS && texts.length > 0; size += some.at(-1)?.length ?? 0) {
      some.push(texts.pop() ?? "");
    }
    const roundsNs = Array.from({ length: ROUNDS }, () => {
      const startedAt = Bun.nanoseconds();
      for (const text of some) estimateTokens(text);
      return Bun.nanoseconds() - startedAt;
    });
    characters += some.reduce((sum, text) => sum + text.length, 0);
    nanoseconds += Math.min(...roundsNs);
  }
  return (characters / nanoseconds) * 1_000;
}
