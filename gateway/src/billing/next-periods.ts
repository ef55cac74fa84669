import type { Database } from "../db/index.ts";
import { HOUR_MS, ZERO_CREDITS } from "../kit/index.ts";
import { periodAt } from "./calendar.ts";
import type { MonthlyCredits } from "./renewals.ts";
import { type ComingSubscription, loadComing, type NextPeriod, saveNextPeriod } from "./store.ts";

/** Spans many renewal runs, so that a failed run or a restarted node leaves no period unrecorded. */
const AHEAD_MS = HOUR_MS;
const PAGE = 200;
const MAX_PAGES = 100;

/**
 * Records the period with which each plan that ends soon will continue. The ledger opens it in the transaction that
 * finds the previous one ended: renewal runs are a minute apart, and no call may be refused during that minute. Every
 * run records it again, so that a changed configuration takes effect.
 */
export async function recordNextPeriods(deps: { db: Database; plans: MonthlyCredits }): Promise<void> {
  let last: ComingSubscription | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const coming: ComingSubscription[] = await loadComing(deps.db, {
      aheadMs: AHEAD_MS,
      after: last,
      limit: PAGE,
    });
    for (const subscription of coming) {
      const next = nextOf(subscription, deps.plans);
      if (!isSame(next, subscription.next)) await saveNextPeriod(deps.db, subscription, next);
    }
    last = coming.at(-1) ?? null;
    if (coming.length < PAGE) break;
  }
}

function nextOf(subscription: ComingSubscription, plans: MonthlyCredits): NextPeriod | null {
  const credits = plans.get(subscription.plan)?.monthlyCredits ?? ZERO_CREDITS;
  return credits === 0 ? null : { ...periodAt(subscription, subscription.renewsAt), credits };
}

function isSame(a: NextPeriod | null, b: NextPeriod | null): boolean {
  if (a === null || b === null) return a === b;
  const areTimesSame =
    a.startsAt.getTime() === b.startsAt.getTime() && a.endsAt.getTime() === b.endsAt.getTime();
  return areTimesSame && a.credits === b.credits;
}
