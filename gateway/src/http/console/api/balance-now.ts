import { DAY_MS } from "../../../kit/index.ts";
import type { Report, Standing } from "../../../usage/index.ts";
import type { BalanceNow } from "../contract.ts";

const PACE_DAYS = 7;

/** `report` covers everyone's calls, for the forecast; null for members, who are shown neither forecast nor debt. */
export function balanceNow(standing: Standing, report: Report | null): BalanceNow {
  const { subscription, anytime, held, debt, periodEnd, subscriptionGranted } = standing;
  return {
    subscription,
    anytime,
    held,
    debt: report ? debt : 0,
    subscriptionExpiresAt: periodEnd?.toISOString() ?? null,
    subscriptionGranted,
    level: levelOf(standing),
    forecast: report && forecastOf(standing, report),
  };
}

function levelOf({ subscription, anytime, isLow }: Standing): BalanceNow["level"] {
  if (subscription + anytime === 0) return "empty";
  return isLow ? "low" : "fine";
}

/** Subscription credits are spent first, and those left at the end of the period expire. */
function forecastOf(standing: Standing, report: Report): NonNullable<BalanceNow["forecast"]> {
  const { subscription, anytime, periodEnd } = standing;
  const perDay = paceOf(report);
  const daysToEnd = periodEnd ? Math.max(0, (periodEnd.getTime() - report.now.getTime()) / DAY_MS) : 0;
  const usedByEnd = Math.min(subscription, perDay * daysToEnd);
  const lastsDays =
    perDay === 0
      ? null
      : usedByEnd < subscription
        ? daysToEnd + anytime / perDay
        : (subscription + anytime) / perDay;
  return {
    spentPerDay: Math.round(perDay),
    lastsDays: lastsDays === null ? null : Math.floor(lastsDays),
    expiresUnused: Math.floor(subscription - usedByEnd),
  };
}

/** Averaged from the first day with spending, so that a new account's first day is not spread over a week. */
function paceOf({ days, now }: Report): number {
  const week = days.slice(-PACE_DAYS);
  const first = week.find(({ credits }) => credits > 0);
  if (!first) return 0;
  const spent = week.reduce((sum, { credits }) => sum + credits, 0);
  return spent / Math.max(1, (now.getTime() - Date.parse(`${first.day}T00:00:00Z`)) / DAY_MS);
}
