import { assert, DAY_MS } from "../kit/index.ts";
import { recordNextPeriods } from "./next-periods.ts";
import { type PlanPeriod, type RenewalDeps, type RenewalRun, renewDue, renewOne } from "./renewals.ts";
import { loadDueOf, saveFirstPeriod } from "./store.ts";
import { loadPaidSubscription, type PaidSubscription } from "./subscription-store.ts";

export type Billing = {
  /**
   * Grants the first credits of an organization's plan now, instead of at the next renewal run. Call it after an
   * organization was created, changed its plan or became active; does nothing if nothing is due. `firstPeriodDays` is
   * for a first period that is not a month.
   */
  startPlan(orgId: string, options?: { firstPeriodDays?: number }): Promise<PlanPeriod | null>;
  /** The subscription that pays the plan; undefined if nobody pays for it. */
  paidSubscription(orgId: string): Promise<PaidSubscription | undefined>;
  /** Opens every period that is due and records those that soon will be; run by the schedule. */
  renewDue(): Promise<RenewalRun>;
};

const MAX_FIRST_PERIOD_DAYS = 366;

export function createBilling(options: RenewalDeps): Billing {
  return {
    async startPlan(orgId, { firstPeriodDays } = {}) {
      if (firstPeriodDays !== undefined) {
        const inRange = firstPeriodDays >= 1 && firstPeriodDays <= MAX_FIRST_PERIOD_DAYS;
        assert(Number.isInteger(firstPeriodDays) && inRange, `not a length in days: ${firstPeriodDays}`);
        await saveFirstPeriod(options.db, orgId, firstPeriodDays * DAY_MS);
      }
      const due = await loadDueOf(options.db, orgId);
      return due ? renewOne(options, due) : null;
    },
    paidSubscription: (orgId) => loadPaidSubscription(options.db, orgId),
    async renewDue() {
      const run = await renewDue(options);
      if (!options.closing?.aborted) await recordNextPeriods(options);
      return run;
    },
  };
}
