import { DAY_MS } from "../kit/index.ts";
import type { RefusalSum } from "./refusal-store.ts";
import { type LoadedDay, type LoadedReport, MAX_PARTS } from "./report-store.ts";

/** Sums of one UTC day; zeros for a day without calls. */
export type ReportDay = Omit<LoadedDay, "at"> & {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Refused calls, which are no requests. */
  readonly refusals: readonly RefusalSum[];
  readonly savedByModel: readonly { readonly model: string; readonly tokens: number }[];
};

/** What one model, key, member or endpoint used; arrays are indexed like the report's days. */
export type ReportPart = {
  /** Null for calls that name no member, and for the rest. */
  readonly id: string | null;
  /** Null if it is no longer known, or if there is no id. */
  readonly name: string | null;
  /** True for the combination of all smaller parts. */
  readonly isRest: boolean;
  readonly credits: number;
  readonly requests: number;
  /** In millionths of a credit. */
  readonly cacheSaved: number;
  readonly creditsByDay: readonly number[];
};

export type Report = {
  readonly now: Date;
  /** Oldest first; the last one is today. */
  readonly days: readonly ReportDay[];
  /** Largest first, the rest last. */
  readonly parts: readonly ReportPart[];
  /** What can be filtered by within these days, regardless of the current filter. */
  readonly choices: Pick<LoadedReport, "models" | "endpoints" | "keys" | "members">;
};

const REST = MAX_PARTS + 1;

export function buildReport(loaded: LoadedReport, dayCount: number): Report {
  const { now, models, endpoints, keys, members } = loaded;
  return {
    now,
    days: daysOf(loaded, dayCount),
    parts: partsOf(loaded, dayCount),
    choices: { models, endpoints, keys, members },
  };
}

function daysOf(loaded: LoadedReport, dayCount: number): ReportDay[] {
  const firstMs = Date.parse(`${loaded.from}T00:00:00Z`);
  const sumsAt = new Map(loaded.days.map(({ at, ...sums }) => [at, sums]));
  const refusedAt = Map.groupBy(loaded.refusals, ({ at }) => at);
  const savedAt = Map.groupBy(loaded.saved, ({ at }) => at);
  return Array.from({ length: dayCount }, (_, at) => ({
    day: new Date(firstMs + at * DAY_MS).toISOString().slice(0, 10),
    ...(sumsAt.get(at) ?? NOTHING),
    refusals: (refusedAt.get(at) ?? []).map(({ code, requests }) => ({ code, requests })),
    savedByModel: (savedAt.get(at) ?? []).map(({ model, tokens }) => ({ model, tokens })),
  }));
}

const NOTHING = {
  ...{ requests: 0, failed: 0, credits: 0, inputTokens: 0, outputTokens: 0, tokensSaved: 0 },
  ...{ cacheRead: 0, cacheWritten: 0, cacheSaved: 0 },
};

function partsOf(loaded: LoadedReport, dayCount: number): ReportPart[] {
  const cellsOf = Map.groupBy(loaded.cells, ({ place }) => place);
  const named = loaded.parts.map((part, index) => ({ ...part, isRest: false, place: index + 1 }));
  const rest = cellsOf.has(REST) ? [{ id: null, name: null, isRest: true, place: REST }] : [];
  return [...named, ...rest].map(({ place, ...part }) => {
    const cells = cellsOf.get(place) ?? [];
    const creditsByDay = Array.from({ length: dayCount }, () => 0);
    for (const { at, credits } of cells) creditsByDay[at] = credits;
    return {
      ...part,
      credits: cells.reduce((sum, cell) => sum + cell.credits, 0),
      requests: cells.reduce((sum, cell) => sum + cell.requests, 0),
      cacheSaved: cells.reduce((sum, cell) => sum + cell.cacheSaved, 0),
      creditsByDay,
    };
  });
}
