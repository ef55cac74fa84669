import type { Database } from "../db/index.ts";
import { type Credits, unreachable } from "../kit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";
import { periodAt } from "./calendar.ts";
import { type DueSubscription, loadDue, saveRenewsAt } from "./store.ts";

/** Plans by name, with the credits each grants per month. */
export type MonthlyCredits = ReadonlyMap<string, { readonly monthlyCredits: Credits }>;

export type RenewalDeps = {
  readonly db: Database;
  readonly ledger: Pick<Ledger, "account" | "renew">;
  readonly plans: MonthlyCredits;
  readonly log: Log;
  /** Once aborted, no more plans are renewed; the next run, here or on another node, continues. */
  readonly closing?: AbortSignal;
};

/** A period that was just opened. */
export type PlanPeriod = { readonly credits: Credits; readonly expiresAt: Date };

export type RenewalRun = { readonly renewed: number; readonly failed: number };

const PAGE = 200;
/** Most pages per run; the next run continues. */
const MAX_PAGES = 100;

/**
 * Opens the current period of every plan that is due. Safe to run on any number of nodes at once and safe to kill: the
 * ledger recognizes each period, and a plan that was not recorded as renewed is due again.
 */
export async function renewDue(deps: RenewalDeps): Promise<RenewalRun> {
  let renewed = 0;
  let failed = 0;
  let last: DueSubscription | null = null;
  for (let page = 0; page < MAX_PAGES && !deps.closing?.aborted; page++) {
    const due: DueSubscription[] = await loadDue(deps.db, last, PAGE);
    for (const subscription of due) {
      if (deps.closing?.aborted) break;
      try {
        if (await renewOne(deps, subscription)) renewed++;
      } catch (error) {
        // The database was closed during shutdown, which says nothing about the plan.
        if (deps.closing?.aborted) break;
        failed++;
        deps.log.error("plan_renewal_failed", { org_id: subscription.orgId, error: String(error) });
      }
    }
    last = due.at(-1) ?? null;
    if (due.length < PAGE) break;
  }
  if (renewed > 0) deps.log.info("plans_renewed", { organizations: renewed });
  return { renewed, failed };
}

/** Null if nothing was granted: no monthly credits, already granted, not the time for it, or no such plan. */
export async function renewOne(deps: RenewalDeps, subscription: DueSubscription): Promise<PlanPeriod | null> {
  const { db, ledger, plans, log } = deps;
  const { orgId } = subscription;
  const period = periodAt(subscription, subscription.readAt);
  const plan = plans.get(subscription.plan);
  if (!plan) {
    // Stays due: the plan may have been removed from the configuration by mistake, and its month must not be lost.
    log.warn("unknown_plan", { org_id: orgId, plan: subscription.plan });
    return null;
  }
  if (plan.monthlyCredits === 0) {
    await saveRenewsAt(db, subscription, period.endsAt);
    return null;
  }
  const isFirst = period.startsAt.getTime() === subscription.startedAt.getTime();
  if (!isFirst) {
    // A longer period was granted by hand. It was promised in full, so the plan waits.
    const open = (await ledger.account(orgId)).period;
    if (open) {
      await saveRenewsAt(db, subscription, open.endsAt);
      return null;
    }
  }
  const { outcome, account } = await ledger.renew({
    orgId,
    amount: plan.monthlyCredits,
    startsAt: period.startsAt,
    endsAt: period.endsAt,
    reference: null,
    description: `monthly credits of the ${subscription.plan} plan`,
    // The subscription was read a while ago, since a run may be long; the plan may have changed meanwhile.
    planSince: subscription.startedAt,
  });
  switch (outcome) {
    case "renewed":
      await saveRenewsAt(db, subscription, period.endsAt);
      return { credits: plan.monthlyCredits, expiresAt: period.endsAt };
    case "repeat":
      await saveRenewsAt(db, subscription, period.endsAt);
      return null;
    case "stale":
      await saveRenewsAt(db, subscription, account.period?.endsAt ?? period.endsAt);
      return null;
    case "early":
    case "over":
    case "changed":
      // A period boundary was passed in between, or the plan has changed: the next run handles it.
      return null;
    default:
      return unreachable(outcome);
  }
}
