/**
 * Where credits went: the balance view and the usage view, already in the terms of the wire; reports, lists of calls
 * and receipts for the console.
 * Owns only four tables that it writes: how far our counts of prompts were off, what became of calls whose prompts could
 * be cached, and how many calls were refused.
 * Settlement writes entries, request rows and rollups; this room reads them, together with the names of keys and people.
 * Refuses to know prices, wires and HTTP.
 *
 * Invariants:
 * - Each view is one snapshot, so its parts agree with each other.
 * - Sums come from rollups only; refused calls, which have none, are counted apart.
 * - Every read is bounded by days, limit or work in flight, never by how many requests there ever were.
 */
export { type CacheHabit, type CacheHabitStore, createCacheHabitStore } from "./cache-habits-store.ts";
export { MAX_DAYS, type UsageFilter } from "./filter-store.ts";
export { createRefusalCounts, type RefusalCounts } from "./refusal-counts.ts";
export { OTHER_MODEL, type Refusal, type RefusalSum } from "./refusal-store.ts";
export type { Report, ReportDay, ReportPart } from "./report.ts";
export { SPLITS, type Split } from "./report-store.ts";
export { isRequestCursor, REQUEST_SORTS, type RequestPageQuery } from "./request-page.ts";
export { REQUEST_STATUSES, type RequestRecord } from "./request-record.ts";
export type { Standing } from "./standing-store.ts";
export {
  createTokenSumStore,
  type PromptKind,
  type TokenSumStore,
  type TokenSums,
} from "./token-sums-store.ts";
export { createUsage, type Usage } from "./usage.ts";
export type { UsageView } from "./usage-view.ts";
