/** Errors of the estimates, per conversation and in sums over many. */
import { estimateTokens } from "../compaction/src/tokens/estimate.ts";
import { estimateOf, fitCosts } from "./fit-estimator-costs.ts";
import type { Sample } from "./fit-estimator-samples.ts";
import type { Tally } from "./fit-estimator-tally.ts";
import { percentile } from "./table.ts";

const FOLDS = 5n;

/** Error in percent for one conversation: by a fit without its group, by one without its source, and as committed. */
type Errors = { readonly byGroup: number; readonly bySource: number; readonly asCommitted: number };
type Measured = { readonly sample: Sample; readonly errors: Errors };

export function measure(samples: readonly Sample[], tallies: readonly Tally[]): Measured[] {
  const byGroup = withoutOwnPart(
    tallies,
    samples.map(({ group }) => String(Bun.hash(group) % FOLDS)),
  );
  const bySource = withoutOwnPart(
    tallies,
    samples.map(({ source }) => source),
  );
  return samples.map((sample, at) => {
    const percent = (estimate: number) => (estimate / sample.exactTokens - 1) * 100;
    const committed = sample.texts.reduce((tokens, text) => tokens + estimateTokens(text), 0);
    return {
      sample,
      errors: {
        byGroup: percent(byGroup[at] ?? 0),
        bySource: percent(bySource[at] ?? 0),
        asCommitted: percent(committed),
      },
    };
  });
}

/** Each conversation's estimate with costs fitted on the other parts alone. */
function withoutOwnPart(tallies: readonly Tally[], parts: readonly string[]): number[] {
  const costs = new Map(
    [...new Set(parts)].map((part) => [part, fitCosts(tallies.filter((_, at) => parts[at] !== part))]),
  );
  return tallies.map((tally, at) => {
    const own = costs.get(parts[at] ?? "");
    if (own === undefined) throw new Error("every part has its costs");
    return estimateOf(tally, own);
  });
}

export type ErrorRow = {
  readonly source: string;
  readonly conversations: number;
  readonly tokens: number;
} & Readonly<Record<keyof Errors, { readonly mean: number; readonly p95: number }>>;

export function summarize(measured: readonly Measured[]): ErrorRow[] {
  const sources = [...new Set(measured.map(({ sample }) => sample.source))];
  const long = measured.filter(({ sample }) => sample.exactTokens > 2_000);
  return [
    ...sources.map((source) =>
      rowOf(
        source,
        measured.filter(({ sample }) => sample.source === source),
      ),
    ),
    rowOf("over 2,000 tokens", long),
    rowOf("all", measured),
  ];
}

function rowOf(source: string, measured: readonly Measured[]): ErrorRow {
  const summary = (kind: keyof Errors) => {
    const errors = measured.map(({ errors }) => Math.abs(errors[kind])).sort((a, b) => a - b);
    return {
      mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
      p95: percentile(errors, 0.95),
    };
  };
  return {
    source,
    conversations: measured.length,
    tokens: measured.reduce((tokens, { sample }) => tokens + sample.exactTokens, 0),
    byGroup: summary("byGroup"),
    bySource: summary("bySource"),
    asCommitted: summary("asCommitted"),
  };
}
