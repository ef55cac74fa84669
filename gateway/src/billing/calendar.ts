import { assert } from "../kit/index.ts";

export type Period = { readonly startsAt: Date; readonly endsAt: Date };

/** When a plan began, and the moment from which its months are counted. */
export type Calendar = { readonly startedAt: Date; readonly anchor: Date };

/**
 * The period that contains `now`. Every month is counted from the anchor, not from the previous month: 31 January is
 * followed by 28 February, then 31 March.
 */
export function periodAt(calendar: Calendar, now: Date): Period {
  const { startedAt, anchor } = calendar;
  assert(startedAt <= anchor && startedAt <= now, "a plan begins before its periods do");
  if (now < anchor) return { startsAt: startedAt, endsAt: anchor };
  const calendarMonths =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const months = addMonths(anchor, calendarMonths) <= now ? calendarMonths : calendarMonths - 1;
  return { startsAt: addMonths(anchor, months), endsAt: addMonths(anchor, months + 1) };
}

/** The same time on the same day of the month, or on its last day if it is too short. UTC. */
export function addMonths(from: Date, months: number): Date {
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const to = new Date(from);
  to.setUTCFullYear(year, month, Math.min(from.getUTCDate(), lastDay));
  return to;
}
