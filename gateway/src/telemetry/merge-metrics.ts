type Figures = { readonly head: string[]; readonly series: Map<string, number> };

/**
 * Several times what one process has for one metric, buckets included. Bounds what processes that ended long ago have
 * left.
 */
const MAX_MERGED_LINES = 50_000;
const HEAD = /^# (?:HELP|TYPE) (\S+)/;
const GAUGE = /^# TYPE \S+ gauge$/;

/**
 * Combines the metrics of several processes into one text: values are added up, or the largest is taken if the metric
 * is shared. Keeps the order of the first text.
 */
export function mergeMetrics(texts: readonly string[], isShared: (name: string) => boolean): string {
  return [...familiesOf(texts, isShared)].map(render).join("");
}

/** The same for counters and histograms only; gauges of processes that have ended are meaningless. */
export function mergeCounters(texts: readonly string[]): string {
  const families = [...familiesOf(texts, () => false)];
  return families
    .filter(({ head }) => !head.some((line) => GAUGE.test(line)))
    .map(render)
    .join("");
}

function familiesOf(texts: readonly string[], isShared: (name: string) => boolean): Iterable<Figures> {
  const families = new Map<string, Figures>();
  for (const text of texts) {
    let name = "";
    for (const line of text.split("\n")) {
      const headed = HEAD.exec(line)?.[1];
      name = headed ?? name;
      if (line !== "") addLine(familyOf(families, name), line, headed === undefined && isShared(name));
    }
  }
  return families.values();
}

function familyOf(families: Map<string, Figures>, name: string): Figures {
  const known = families.get(name);
  if (known) return known;
  const made: Figures = { head: [], series: new Map() };
  families.set(name, made);
  return made;
}

function addLine({ head, series }: Figures, line: string, isShared: boolean): void {
  if (line.startsWith("#")) {
    if (!head.includes(line)) head.push(line);
    return;
  }
  const at = line.lastIndexOf(" ");
  const key = line.slice(0, at);
  const value = Number(line.slice(at + 1));
  const before = series.get(key);
  if (before === undefined) {
    if (series.size < MAX_MERGED_LINES) series.set(key, value);
  } else series.set(key, isShared ? Math.max(before, value) : before + value);
}

function render({ head, series }: Figures): string {
  const lines = [...head, ...[...series].map(([key, value]) => `${key} ${value}`)];
  return `${lines.join("\n")}\n`;
}
