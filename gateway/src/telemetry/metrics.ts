import { mergeMetrics } from "./merge-metrics.ts";
import { renderCounter, renderHistogram } from "./prometheus-text.ts";

type Labels = Readonly<Record<string, string>>;

/** Call `bind` once, outside the hot path; `inc` is then a single addition. */
export type Counter = { inc(by?: number): void; bind(labels: Labels): Counter };
type Gauge = {
  set(value: number): void;
  inc(by?: number): void;
  bind(labels: Labels): Gauge;
  /** The value is computed on each scrape instead of being kept up to date. */
  read(value: () => number): void;
};
export type Histogram = { observe(value: number): void; bind(labels: Labels): Histogram };

type HistogramShape = {
  readonly labels?: readonly string[];
  /** Upper bounds, ascending; the default is seconds from 1 ms to 2 min. */
  readonly buckets?: readonly number[];
};

type GaugeShape = {
  readonly labels?: readonly string[];
  /** True if all processes see the same value, so that merging must not add it up. */
  readonly isShared?: boolean;
};

export type Metrics = {
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, shape?: GaugeShape): Gauge;
  histogram(name: string, help: string, shape?: HistogramShape): Histogram;
  render(): string;
  /** Merges the texts of several processes as if they were one; keeps the order of the first. */
  merge(texts: readonly string[]): string;
};

/** Combinations of labels beyond this share one series named `other`, so that memory stays bounded. */
const MAX_SERIES = 500;
const MAX_LABEL_CHARS = 80;
const NAME = /^[a-z][a-z0-9_]{0,99}$/;
const SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
] as const;

type Family<Series> = {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly instrument: Series;
  readonly isShared?: boolean;
  render(): string;
};

/** The series of one metric: the same labels always give the same series. */
function createSeries<Series>(labelNames: readonly string[], make: () => Series) {
  const series = new Map<string, { readonly values: readonly string[]; readonly cell: Series }>();

  function at(values: readonly string[]): Series {
    const key = values.join("\u0000");
    const known = series.get(key);
    if (known) return known.cell;
    if (series.size >= MAX_SERIES && labelNames.length > 0) {
      const other = labelNames.map(() => "other");
      return series.get(other.join("\u0000"))?.cell ?? add(other);
    }
    return add(values);
  }

  function add(values: readonly string[]): Series {
    const cell = make();
    series.set(values.join("\u0000"), { values, cell });
    return cell;
  }

  return {
    bind: (labels: Labels): Series =>
      at(labelNames.map((name) => (labels[name] ?? "").slice(0, MAX_LABEL_CHARS))),
    entries: () => series.values(),
  };
}

export function createMetrics(): Metrics {
  const families = new Map<string, Family<unknown>>();

  /** Registering a name again returns the first instrument: two components may count the same thing. */
  function register<T>(name: string, kind: Family<T>["kind"], make: () => Family<T>): T {
    if (!NAME.test(name)) throw new Error(`not a metric name: ${name}`);
    const known = families.get(name);
    if (known) {
      if (known.kind !== kind) throw new Error(`metric ${name} is a ${known.kind}, not a ${kind}`);
      return known.instrument as T;
    }
    const family = make();
    families.set(name, family);
    return family.instrument;
  }

  return {
    counter: (name, help, labels = []) => register(name, "counter", () => counterFamily(name, help, labels)),
    gauge: (name, help, shape = {}) => register(name, "gauge", () => gaugeFamily(name, help, shape)),
    histogram: (name, help, shape = {}) =>
      register(name, "histogram", () => histogramFamily(name, help, shape)),
    render: () => [...families.values()].map((family) => family.render()).join(""),
    merge: (texts) => mergeMetrics(texts, (name) => families.get(name)?.isShared === true),
  };
}

function counterFamily(name: string, help: string, labelNames: readonly string[]): Family<Counter> {
  const series = createSeries(labelNames, () => {
    const cell = {
      value: 0,
      inc(by = 1) {
        if (by > 0) cell.value += by;
      },
      bind: (labels: Labels) => series.bind(labels),
    };
    return cell;
  });
  const instrument = series.bind({});
  const render = () => renderCounter({ name, help, kind: "counter", labelNames }, [...series.entries()]);
  return { kind: "counter", instrument, render };
}

function gaugeFamily(
  name: string,
  help: string,
  { labels: labelNames = [], isShared = false }: GaugeShape,
): Family<Gauge> {
  const series = createSeries(labelNames, () => {
    let read: (() => number) | null = null;
    const cell = {
      held: 0,
      get value(): number {
        return read ? read() : cell.held;
      },
      set(value: number) {
        cell.held = value;
      },
      inc(by = 1) {
        cell.held += by;
      },
      read(value: () => number) {
        read = value;
      },
      bind: (labels: Labels) => series.bind(labels),
    };
    return cell;
  });
  const instrument = series.bind({});
  const render = () => renderCounter({ name, help, kind: "gauge", labelNames }, [...series.entries()]);
  return { kind: "gauge", instrument, isShared, render };
}

function histogramFamily(name: string, help: string, shape: HistogramShape): Family<Histogram> {
  const { labels: labelNames = [], buckets = SECONDS } = shape;
  const series = createSeries(labelNames, () => {
    const cell = {
      counts: new Float64Array(buckets.length + 1),
      sum: 0,
      observe(value: number) {
        if (!(value >= 0)) return;
        let bucket = 0;
        while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket++;
        cell.counts[bucket] = (cell.counts[bucket] as number) + 1;
        cell.sum += value;
      },
      bind: (labels: Labels) => series.bind(labels),
    };
    return cell;
  });
  const instrument = series.bind({});
  const header = { name, help, kind: "histogram", labelNames } as const;
  return {
    kind: "histogram",
    instrument,
    render: () => renderHistogram(header, buckets, [...series.entries()]),
  };
}
