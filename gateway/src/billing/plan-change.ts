import { DEFAULT_PLAN, type Plan } from "../catalog/index.ts";
import type { PaidSubscription } from "./subscription-store.ts";

/**
 * What choosing a plan does. checkout: it must be paid first, then it begins. later: it begins when the paid month is
 * over. now: it begins at once. stay: a change that was scheduled is dropped. same, arranged, off: nothing, because it
 * is already the plan, only the operator can change it, or payments are not set up.
 */
export type PlanChange = "checkout" | "later" | "now" | "stay" | "same" | "arranged" | "off";

/** The organization's situation when it chooses. */
export type PlanStanding = {
  readonly plan: string;
  /** The subscription that pays the plan; undefined if nobody pays for it. */
  readonly paid: PaidSubscription | undefined;
};

/** The only place that decides this: the gateway acts on it, and the console uses it to announce what will happen. */
export function planChange(
  mode: "stripe" | "test" | "none",
  standing: PlanStanding,
  wanted: Plan,
): PlanChange {
  if (mode === "none") return "off";
  if (mode === "stripe" && standing.paid) {
    // The wanted plan was assigned by the operator on top of the one that is paid, so it cannot be bought. The free
    // plan is different: choosing it means to stop paying.
    const isGiven = wanted.name === standing.plan && wanted.name !== standing.paid.plan;
    return isGiven && wanted.name !== DEFAULT_PLAN ? "arranged" : changeOfPaid(standing.paid, wanted);
  }
  if (wanted.name === standing.plan) return "same";
  if (wanted.name !== DEFAULT_PLAN) return "checkout";
  return mode === "stripe" ? "arranged" : "now";
}

/** Compares with the price actually paid: the catalog may have another price for that plan by now, or none. */
function changeOfPaid(paid: PaidSubscription, wanted: Plan): PlanChange {
  if (wanted.name === paid.plan) return paid.endsAt === null && paid.next === null ? "same" : "stay";
  return wanted.usdCents > paid.amountCents ? "checkout" : "later";
}
