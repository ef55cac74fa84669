/** Prometheus text format, version 0.0.4. */
type MetricHeader = {
  readonly name: string;
  readonly help: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly labelNames: readonly string[];
};

type Series<Cell> = { readonly values: readonly string[]; readonly cell: Cell };
type HistogramCell = { readonly counts: Float64Array; readonly sum: number };

export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function renderCounter(
  header: MetricHeader,
  series: readonly Series<{ readonly value: number }>[],
): string {
  return block(
    header,
    inUse(header, series).map(
      ({ values, cell }) => `${header.name}${labelText(header, values)} ${number(cell.value)}`,
    ),
  );
}

export function renderHistogram(
  header: MetricHeader,
  buckets: readonly number[],
  series: readonly Series<HistogramCell>[],
): string {
  const lines: string[] = [];
  for (const { values, cell } of inUse(header, series)) {
    let total = 0;
    for (const [index, count] of cell.counts.entries()) {
      total += count;
      const bound = index < buckets.length ? number(buckets[index] as number) : "+Inf";
      lines.push(`${header.name}_bucket${labelText(header, values, `le="${bound}"`)} ${total}`);
    }
    lines.push(`${header.name}_sum${labelText(header, values)} ${number(cell.sum)}`);
    lines.push(`${header.name}_count${labelText(header, values)} ${total}`);
  }
  return block(header, lines);
}

/** The unlabelled root of a labelled metric exists only for `bind`; it is not a series. */
function inUse<Cell>(header: MetricHeader, series: readonly Series<Cell>[]): readonly Series<Cell>[] {
  if (header.labelNames.length === 0) return series;
  return series.filter(({ values }) => values.some((value) => value !== ""));
}

function block(header: MetricHeader, lines: readonly string[]): string {
  const help = header.help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
  const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  return `# HELP ${header.name} ${help}\n# TYPE ${header.name} ${header.kind}\n${text}`;
}

function labelText(header: MetricHeader, values: readonly string[], extra?: string): string {
  const pairs = header.labelNames.map((name, index) => `${name}="${escapeLabel(values[index] ?? "")}"`);
  if (extra) pairs.push(extra);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

function number(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
