import { assert, DAY_MS } from "../kit/index.ts";
import { tellNextPeriods } from "./next-periods.ts";
import { type PlanPeriod, type RenewalDeps, type RenewalRun, renewDue, renewOne } from "./renewals.ts";
import { loadDueOf, saveFirstPeriod } from "./store.ts";
import { loadPaidSubscription, type PaidSubscription } from "./subscription-store.ts";

export type Billing = {
  /**
   * Grants an organization's plan its first credits now instead of at the next run of renewals. To be
   * called after an organization was created, changed its plan or became active; does nothing where
   * nothing is due. `firstPeriodDays` is for a first period that is not a month.
   */
  startPlan(orgId: string, options?: { firstPeriodDays?: number }): Promise<PlanPeriod | null>;
  /** By which the plan is paid; undefined where nobody pays it. */
  paidSubscription(orgId: string): Promise<PaidSubscription | undefined>;
  /** Opens every period that is due and writes down those that soon will be; for a schedule. */
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
      if (!options.closing?.aborted) await tellNextPeriods(options);
      return run;
    },
  };
}
