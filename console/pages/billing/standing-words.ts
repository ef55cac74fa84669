import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { capital, credits, day, number } from "../../parts/format.ts";
import { price } from "./price.ts";

/** How the plan continues, in a sentence or two. */
export function standingWords(view: BillingView, isActive: boolean): string {
  const plan = `The ${capital(view.plan)} plan`;
  if (view.endsAt) return `${plan} ends on ${day(view.endsAt)}; after that you are on the Free plan.`;
  if (view.nextPlan && view.renewsAt) {
    return `${plan} lasts until ${day(view.renewsAt)}; after that you are on the ${capital(view.nextPlan)} plan.`;
  }
  if (!view.renewsAt) return withoutCredits(plan, view);
  if (view.paymentFailed) return `${plan} continues once this month is paid.`;
  if (!isActive && view.paidBy !== "stripe")
    return `${plan} is not renewed while the organization is inactive.`;
  return view.paidBy === "stripe"
    ? `${plan} is charged and renewed on ${day(view.renewsAt)}.${keptTerms(view)}`
    : `${plan} renews automatically on ${day(view.renewsAt)}.`;
}

/** A month that was granted lasts to its end, even if the plan has changed since. */
function withoutCredits(plan: string, { balance }: BillingView): string {
  const { subscription, subscriptionExpiresAt } = balance;
  return subscription > 0 && subscriptionExpiresAt !== null
    ? `${plan} includes no credits. What is left of an earlier month, ${credits(subscription)}, can be used until ${day(subscriptionExpiresAt)}; after that calls are paid from anytime credits.`
    : `${plan} includes no credits: calls are paid from anytime credits.`;
}

/** A plan that is no longer offered has no box with its price. */
function keptTerms({ plan, plans, paid }: BillingView): string {
  if (paid === null || plans.some(({ name }) => name === plan)) return "";
  return ` It is no longer offered; while you keep it, it stays at ${price(paid.usd)} and ${number(paid.monthlyCredits)} credits a month.`;
}
