import { z } from "zod";
import { DAY_MS } from "../../../kit/index.ts";
import { MAX_DAYS, type ReportDay, type Standing } from "../../../usage/index.ts";
import type { ConsoleParts } from "../parts.ts";
import { onlyMemberOf } from "../viewer.ts";
import { balanceNow } from "./balance-now.ts";
import type { Query } from "./operation.ts";
import { reportViewOf, requestRowOf, sumsOf } from "./usage-view.ts";

const USUAL_DAYS = 30;
const RECENT = 8;

/** Polled every few seconds by every open page: the account, a month's sums and a few of the newest rows. */
export function overviewQuery({ usage, catalog }: ConsoleParts): Query<"overview"> {
  return {
    who: "member",
    input: z.strictObject({}),
    async run({ viewer }) {
      const { id } = viewer.organization;
      const onlyMemberId = onlyMemberOf(viewer);
      const standing = await usage.standing(id);
      const days = daysSince(standing);
      const memberId = onlyMemberId ?? undefined;
      const [report, page] = await Promise.all([
        usage.report(id, { filter: { days }, split: "model", onlyMemberId }),
        usage.requests(id, {
          filter: { days, memberId },
          status: null,
          sort: "time",
          isAscending: false,
          limit: RECENT,
          cursor: null,
        }),
      ]);
      const period = periodOf(report.days, standing);
      return {
        balance: balanceNow(standing, onlyMemberId === null ? report : null),
        today: sumsOf(catalog, report.days.slice(-1)),
        period: {
          ...sumsOf(catalog, period),
          since: period[0]?.day ?? "",
          isOpenPeriod: standing.periodStart !== null,
        },
        report: reportViewOf({ catalog, viewer, split: "model" }, report),
        recent: page.requests.map((record) => requestRowOf(viewer, record)),
      };
    },
  };
}

/** At least a month; the whole open period if that is longer, as far back as reports go. */
function daysSince({ at, periodStart }: Standing): number {
  if (periodStart === null) return USUAL_DAYS;
  const days = Math.floor(at.getTime() / DAY_MS) - Math.floor(periodStart.getTime() / DAY_MS) + 1;
  return Math.min(Math.max(days, USUAL_DAYS), MAX_DAYS);
}

/** Sums are per day, so spending earlier on the period's first day is included. */
function periodOf(days: readonly ReportDay[], { periodStart }: Standing): readonly ReportDay[] {
  const first = periodStart?.toISOString().slice(0, 10);
  return first === undefined ? days : days.filter(({ day }) => day >= first);
}
