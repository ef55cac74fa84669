import type { BillingView } from "../../../src/http/console/contract.ts";
import { capital, credits, day, number } from "../../parts/format.ts";
import { type Plan, price } from "./price.ts";

type Beginning = "paid" | "later" | "now" | "stay";

/** The gateway decides; this says beforehand what it will do. */
export function beginning(plan: Plan, view: BillingView, payments: string): Beginning {
  if (plan.name === view.plan) return "stay";
  if (payments === "test") return plan.usd > 0 ? "paid" : "now";
  const current = view.plans.find(({ name }) => name === view.plan)?.usd ?? 0;
  return view.paidBy === "stripe" && plan.usd <= current ? "later" : "paid";
}

/** Once it was done, in passing. */
export function doneWords(plan: Plan, view: BillingView, begins: Beginning): string {
  if (begins === "stay") return `The ${capital(plan.name)} plan continues.`;
  const isAtOnce = begins === "now" || (view.paymentFailed !== null && plan.usd === 0);
  return isAtOnce ? `The plan is now ${capital(plan.name)}.` : `The plan changes to ${capital(plan.name)}.`;
}

export function explanation(plan: Plan, view: BillingView, begins: Beginning): string {
  const left = view.balance.subscription;
  const lost = left > 0 ? ` What is left of this month's plan, ${credits(left)}, expires then.` : "";
  switch (begins) {
    case "paid":
      return `It starts once it is paid, with ${number(plan.monthlyCredits)} credits for the first month.${lost}`;
    case "later":
      if (view.paymentFailed) {
        return plan.usd === 0
          ? `This month's payment failed, so the ${capital(view.plan)} plan ends at once. Nothing more is charged.`
          : `This month's payment failed and will be retried. From next month it is ${price(plan.usd)} a month.`;
      }
      // Stripe takes about an hour to collect a month that has begun, and its report may be late.
      if (view.renewsAt !== null && Date.parse(view.renewsAt) <= Date.now()) {
        return plan.usd === 0
          ? `A new month has just begun. If it has not been paid yet, the ${capital(view.plan)} plan ends at once; otherwise it lasts until that month ends. After that, nothing more is charged.`
          : `A new month has just begun, and is still paid as before. From the next one on it is ${price(plan.usd)} a month.`;
      }
      return plan.usd === 0
        ? `This month is paid, so the ${capital(view.plan)} plan lasts until ${view.renewsAt ? day(view.renewsAt) : "its end"}. After that, nothing more is charged.`
        : `This month is paid, so the change takes effect on ${view.renewsAt ? day(view.renewsAt) : "its last day"}. From then on it is ${price(plan.usd)} a month.`;
    case "now":
      return "The change takes effect at once. This month's credits stay until they expire.";
    case "stay":
      return `The ${capital(plan.name)} plan continues as before, for ${price(plan.usd)} a month.`;
  }
}
