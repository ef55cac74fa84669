import type { Database } from "../db/index.ts";
import { HOUR_MS, ZERO_CREDITS } from "../kit/index.ts";
import { periodAt } from "./calendar.ts";
import type { MonthlyCredits } from "./renewals.ts";
import { type ComingSubscription, loadComing, type NextPeriod, saveNextPeriod } from "./store.ts";

/** Many runs long, so that one that fails, or a node that starts anew, leaves no month untold. */
const AHEAD_MS = HOUR_MS;
const PAGE = 200;
const MAX_PAGES = 100;

/**
 * Writes down which period each plan that ends soon goes on with. The ledger opens it in the transaction that finds
 * the one before ended: runs of renewals are a minute apart, and nobody is to be refused for that minute. Each run
 * says it anew, so a configuration that changed meanwhile counts.
 */
export async function tellNextPeriods(deps: { db: Database; plans: MonthlyCredits }): Promise<void> {
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
