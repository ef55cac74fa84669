import { DEFAULT_PLAN, type Plan } from "../../catalog/index.ts";
import type { Database } from "../../db/index.ts";
import { DAY_MS } from "../../kit/index.ts";
import {
  type Buyer,
  describe,
  type Ordering,
  type PlanChanged,
  planItem,
  titleOf,
} from "../orders/ordering.ts";
import { loadOrder } from "../orders/store.ts";
import { loadMoment } from "../payment-store.ts";
import type { PlanChange } from "../plan-change.ts";
import { loadPlanState, type PaidSubscription, saveNextOrder } from "../subscription-store.ts";
import { endPaying, stopDraft } from "./end-paying.ts";
import { followSubscription, isOver } from "./follow-subscription.ts";
import type { ReportDeps } from "./report-deps.ts";

type Deps = ReportDeps & { readonly ordering: Ordering };
type Change = {
  readonly buyer: Buyer;
  readonly paid: PaidSubscription;
  readonly plan: Plan;
  /** What to do, as decided by `planChange`. */
  readonly change: PlanChange;
};

/**
 * Changes the plan of an organization that already pays for one. A more expensive plan is paid now and begins now. A
 * cheaper plan, or the free one, begins when the paid month is over; the free one begins at once if the current month
 * was not paid. Choosing the current plan again undoes both.
 */
export async function changePaidPlan(deps: Deps, wanted: Change): Promise<PlanChanged> {
  const { buyer, paid, plan } = wanted;
  const item = planItem(plan);
  const isStanding = wanted.change === "same";
  if (isStanding && !(await isOverdue(deps.db, buyer.orgId))) return { outcome: "same" };
  if (wanted.change === "checkout") return deps.ordering.order(buyer, item);
  try {
    if (plan.name === DEFAULT_PLAN) {
      const ended = await endPaying(deps, paid.id);
      if (!ended) throw new Error("Stripe does not know the subscription");
      await followSubscription(deps, ended);
      await saveNextOrder(deps.db, paid.id, null);
      return { outcome: "changed" };
    }
    if (await hasEnded(deps, paid.id)) return deps.ordering.order(buyer, item);
    if (isStanding) return { outcome: "same" };
    const isReturn = wanted.change === "stay";
    const order = isReturn ? await loadOrder(deps.db, paid.orderId) : await deps.ordering.record(buyer, item);
    if (!order) return { outcome: "too_many" };
    const subscription = await deps.stripe.loadSubscription(paid.id);
    await followSubscription(deps, await deps.stripe.reorder(subscription, order, titleOf(order)));
    await saveNextOrder(deps.db, paid.id, isReturn ? null : order.id);
    return { outcome: "changed" };
  } catch (error) {
    deps.log.error("plan_not_changed", { org_id: buyer.orgId, error: describe(error) });
    return { outcome: "unreachable" };
  }
}

/** True if the next month should have been paid by now, but no payment was reported. */
async function isOverdue(db: Database, orgId: string): Promise<boolean> {
  const [state, now] = await Promise.all([loadPlanState(db, orgId), loadMoment(db)]);
  return state !== undefined && now.getTime() - state.renewsAt.getTime() > DAY_MS;
}

/** The report of its end may have been lost, so this asks Stripe. */
async function hasEnded(deps: Deps, subscriptionId: string): Promise<boolean> {
  const subscription = await deps.stripe.findSubscription(subscriptionId);
  if (!subscription || !isOver(subscription)) return false;
  await stopDraft(deps, subscription);
  await followSubscription(deps, subscription);
  return true;
}
