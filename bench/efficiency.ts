/**
 * What compaction saves on a corpus of conversations: tokens by a real tokenizer and by the estimate, the cost of input
 * if providers cache prefixes, CPU time by size, and the error of the estimate.
 */
import { commandOptions } from "../scripts/command-options.ts";
import type { Measured, Shortened } from "./efficiency-conversation.ts";
import { readCorpus } from "./efficiency-corpus.ts";
import { type SizeRow, timeSizes } from "./efficiency-cpu.ts";
import { neutralOf } from "./efficiency-neutral.ts";
import { type Failures, sumOfFailures } from "./efficiency-proofs.ts";
import { type Validation, validate } from "./efficiency-validation.ts";
import { percentile, renderTable } from "./table.ts";

const USAGE = "Usage: npm run bench efficiency -- --corpus PATH … [--ablation] [--json]";
/** Sources that were invented, or assembled from payloads: they say little about real traffic. */
const CONSTRUCTED: readonly string[] = ["local-tools", "glaive-toolcall-zh"];
/** The error of the estimate is measured on conversations large enough to cost something. */
const LEAST_TOKENS = 2_000;

type SourceRow = {
  readonly source: string;
  readonly conversations: number;
  readonly tokens: number;
  readonly safe: Saving;
  readonly structural: Saving;
  readonly estimateErrorMean: number;
  readonly estimateErrorP95: number;
};

/** In percent of the value without compaction. */
type Saving = {
  readonly tokens: number;
  readonly estimatedTokens: number;
  readonly cost: number;
  readonly failures: Failures;
  readonly larger: number;
};

export async function run(args: readonly string[]): Promise<void> {
  const options = {
    corpus: { type: "string", multiple: true },
    ablation: { type: "boolean" },
    json: { type: "boolean" },
  } as const;
  const values = commandOptions(USAGE, options, args);
  const conversations = readCorpus(values.corpus);
  if (values.ablation === true) {
    const { renderAblation } = await import("./efficiency-ablation.ts");
    return console.log(renderAblation(conversations));
  }
  const sizes = timeSizes(conversations.map(({ messages }) => messages.map(neutralOf)));
  // Only now: a tokenizer fills the memory with words, which would affect the timing.
  const { measure } = await import("./efficiency-conversation.ts");
  const measured = conversations.map(measure);
  const real = measured.filter(({ source }) => !CONSTRUCTED.includes(source));
  const sources = [...new Set(measured.map(({ source }) => source))].sort();
  const rows = [
    ...sources.map((source) =>
      rowOf(
        source,
        measured.filter((one) => one.source === source),
      ),
    ),
    rowOf("without constructed data", real),
    rowOf("all", measured),
  ];
  const result = { sources: rows, validation: validate(real), sizes };
  console.log(values.json ? JSON.stringify(result) : render(result));
}

function rowOf(source: string, measured: readonly Measured[]): SourceRow {
  const errors = measured
    .filter(({ tokens }) => tokens >= LEAST_TOKENS)
    .map(({ tokens, estimatedTokens }) => Math.abs(estimatedTokens / tokens - 1) * 100)
    .sort((a, b) => a - b);
  return {
    source,
    conversations: measured.length,
    tokens: total(measured, ({ tokens }) => tokens),
    safe: savingOf(measured, ({ safe }) => safe),
    structural: savingOf(measured, ({ structural }) => structural),
    estimateErrorMean: total(errors, (error) => error) / errors.length,
    estimateErrorP95: percentile(errors, 0.95),
  };
}

function savingOf(measured: readonly Measured[], of: (one: Measured) => Shortened): Saving {
  const percent = (key: "tokens" | "estimatedTokens" | "cost") =>
    100 - (100 * total(measured, (one) => of(one)[key])) / total(measured, (one) => one[key]);
  return {
    tokens: percent("tokens"),
    estimatedTokens: percent("estimatedTokens"),
    cost: percent("cost"),
    failures: sumOfFailures(measured.map((one) => of(one).failures)),
    larger: total(measured, (one) => of(one).larger),
  };
}

function total<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

const HEADER = [
  "saved, in percent",
  "chats",
  "tokens",
  "safe",
  "estimate",
  "cost",
  "structural",
  "estimate",
  "cost",
  "error",
  "p95",
  "prefix",
  "wrong",
  "expand",
  "edit",
  "fences",
  "json",
  "larger",
];
const CHECK_HEADER = ["saved without constructed data", "safe", "structural"];
const SIZE_HEADER = ["ms at", "chats", "off", "p99", "safe", "p99", "structural", "p99"];

type Result = {
  readonly sources: readonly SourceRow[];
  readonly validation: readonly Validation[];
  readonly sizes: readonly SizeRow[];
};

/** One table in three parts: savings by source, with how often each proof failed (0 is right), how much of that would hold elsewhere, and CPU time by size. */
function render({ sources, validation, sizes }: Result): string {
  const savings = sources.map((row) => [
    row.source,
    String(row.conversations),
    String(row.tokens),
    ...[row.safe, row.structural].flatMap(({ tokens, estimatedTokens, cost }) =>
      [tokens, estimatedTokens, cost].map((percent) => percent.toFixed(2)),
    ),
    // Sources of short chats have no conversation that is large enough.
    ...[row.estimateErrorMean, row.estimateErrorP95].map((error) =>
      Number.isNaN(error) ? "" : error.toFixed(2),
    ),
    ...Object.values(sumOfFailures([row.safe.failures, row.structural.failures])).map(String),
    String(row.safe.larger + row.structural.larger),
  ]);
  const timings = sizes.map((row) => [
    `${row.sizeKb} KB`,
    String(row.conversations),
    ...[row.off, row.safe, row.structural].flatMap(({ p50Ms, p99Ms }) => [
      p50Ms.toFixed(3),
      p99Ms.toFixed(3),
    ]),
  ]);
  const checks = validation.map(({ name, safe, structural }) => [
    name,
    safe.toFixed(2),
    structural.toFixed(2),
  ]);
  return [
    renderTable(HEADER, savings),
    renderTable(CHECK_HEADER, checks),
    renderTable(SIZE_HEADER, timings),
  ].join("\n\n");
}
