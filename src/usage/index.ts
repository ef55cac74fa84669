/**
 * Where credits went: the balance view and the usage view, already in the words of the wire; reports, lists of calls
 * and receipts for the console.
 * Owns nothing that is written but two tables, how far our counts of prompts were off; settlement writes entries,
 * request rows and rollups, and this folder reads them, with the names of keys and people beside. Refuses to know prices, wires and HTTP.
 * Invariants: each view is one snapshot, so its parts agree with each other; sums come from rollups only;
 * every read is bounded by days, limit or work in flight, never by how many requests there ever were.
 */
export type { UsageFilter } from "./filter-store.ts";
export type { Report, ReportDay, ReportPart } from "./report.ts";
export { SPLITS, type Split } from "./report-store.ts";
export { isRequestCursor, REQUEST_SORTS, type RequestPageQuery } from "./request-page.ts";
export { REQUEST_STATUSES, type RequestRecord } from "./request-record.ts";
export type { Standing } from "./standing-store.ts";
export {
  createTokenSumStore,
  type OwnTokenSums,
  type PromptKind,
  type TokenSumStore,
  type TokenSums,
} from "./token-sums-store.ts";
export { createUsage, MAX_DAYS, type Usage } from "./usage.ts";
export type { UsageView } from "./usage-view.ts";
