import type { UsageReport } from "../../../gateway/src/http/console/contract.ts";

/** Fewer would look like a gap, more like an empty month. */
const LEAST_DAYS = 14;

/** Removes the empty days before the first spending, if two weeks or more are left. */
export function sinceFirstUse(report: UsageReport): UsageReport {
  const first = report.days.findIndex((_, at) => report.parts.some((part) => part.creditsByDay[at]));
  const from = Math.min(first, report.days.length - LEAST_DAYS);
  if (from <= 0) return report;
  return {
    ...report,
    days: report.days.slice(from),
    parts: report.parts.map((part) => ({ ...part, creditsByDay: part.creditsByDay.slice(from) })),
  };
}
