import type { BillingView } from "../../../gateway/src/http/console/contract.ts";
import { capital, credits, day, number } from "../../parts/format.ts";
import { type Plan, price } from "./price.ts";

/** Worded by the effect, not by the current plan: an operator may have set a different one than the one paid for. */
export function choiceWords({ change, name }: Plan): string {
  return `${change === "stay" ? "Stay with" : "Change to"} ${capital(name)}`;
}

/** For the toast after the change. */
export function doneWords(plan: Plan, view: BillingView): string {
  if (plan.change === "stay") return `The ${capital(plan.name)} plan continues.`;
  const isAtOnce = plan.change === "now" || (view.paymentFailed !== null && plan.usd === 0);
  return isAtOnce ? `The plan is now ${capital(plan.name)}.` : `The plan changes to ${capital(plan.name)}.`;
}

/** The gateway has decided what the change would do; this explains it. */
export function explanation(plan: Plan, view: BillingView): string {
  const left = view.balance.subscription;
  const lost = left > 0 ? ` What is left of this month's plan, ${credits(left)}, expires then.` : "";
  switch (plan.change) {
    case "checkout":
      return `It starts once it is paid, with ${number(plan.monthlyCredits)} credits for the first month.${lost}`;
    case "later":
      if (view.paymentFailed) {
        return plan.usd === 0
          ? `This month's payment failed, so the ${capital(view.plan)} plan ends at once. Nothing more is charged.`
          : `This month's payment failed and will be retried. From next month it is ${price(plan.usd)} a month.`;
      }
      // Stripe takes about an hour to charge a new month, and its report may be late.
      if (view.renewsAt !== null && Date.parse(view.renewsAt) <= Date.now()) {
        return plan.usd === 0
          ? `A new month has just begun. If it has not been paid yet, the ${capital(view.plan)} plan ends at once; otherwise it lasts until that month ends. After that, nothing more is charged.`
          : `A new month has just begun and still costs what it did before. From the next one on it is ${price(plan.usd)} a month.`;
      }
      return plan.usd === 0
        ? `This month is paid, so the ${capital(view.plan)} plan lasts until ${view.renewsAt ? day(view.renewsAt) : "its end"}. After that, nothing more is charged.`
        : `This month is paid, so the change takes effect on ${view.renewsAt ? day(view.renewsAt) : "its last day"}. From then on it is ${price(plan.usd)} a month.`;
    case "now":
      return "The change takes effect at once. This month's credits stay until they expire.";
    default:
      return `The ${capital(plan.name)} plan continues as before, for ${price(plan.usd)} a month.`;
  }
}
