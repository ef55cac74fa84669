import { DEFAULT_PLAN, type Plan } from "../catalog/index.ts";
import type { PaidSubscription } from "./subscription-store.ts";

/**
 * What choosing a plan does. checkout: it is paid first, and begins then. later: it begins when the month that was paid is
 * over. now: at once. stay: what was to follow does not. same, arranged, off: nothing, since it is the plan already, the
 * operator's to change, or nothing can be paid here.
 */
export type PlanChange = "checkout" | "later" | "now" | "stay" | "same" | "arranged" | "off";

/** What an organization has when it chooses. */
export type PlanStanding = {
  readonly plan: string;
  /** By which the plan is paid; undefined where nobody pays it. */
  readonly paid: PaidSubscription | undefined;
};

/** Decided here alone: by it the gateway acts, and the console says beforehand what will happen. */
export function planChange(
  mode: "stripe" | "test" | "none",
  standing: PlanStanding,
  wanted: Plan,
): PlanChange {
  if (mode === "none") return "off";
  if (mode === "stripe" && standing.paid) {
    // Nobody buys what they were given beside what they pay; the free plan stands for paying no more.
    const isGiven = wanted.name === standing.plan && wanted.name !== standing.paid.plan;
    return isGiven && wanted.name !== DEFAULT_PLAN ? "arranged" : changeOfPaid(standing.paid, wanted);
  }
  if (wanted.name === standing.plan) return "same";
  if (wanted.name !== DEFAULT_PLAN) return "checkout";
  return mode === "stripe" ? "arranged" : "now";
}

/** Dearer or cheaper than what is paid, which may have another price in the catalog by now, or none. */
function changeOfPaid(paid: PaidSubscription, wanted: Plan): PlanChange {
  if (wanted.name === paid.plan) return paid.endsAt === null && paid.next === null ? "same" : "stay";
  return wanted.usdCents > paid.amountCents ? "checkout" : "later";
}
