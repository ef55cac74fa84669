import type { BillingView } from "../../../src/http/console/contract.ts";
import { credits, day, number } from "../../parts/format.ts";
import { type Plan, price } from "./price.ts";

type Beginning = "paid" | "later" | "now" | "stay";

/** The gateway decides; this says beforehand what it will do. */
export function beginning(plan: Plan, view: BillingView, payments: string): Beginning {
  if (plan.name === view.plan) return "stay";
  if (payments === "test") return plan.usd > 0 ? "paid" : "now";
  const current = view.plans.find(({ name }) => name === view.plan)?.usd ?? 0;
  return view.paidBy === "stripe" && plan.usd <= current ? "later" : "paid";
}

export function explanation(plan: Plan, view: BillingView, begins: Beginning): string {
  const left = view.balance.subscription;
  const lost = left > 0 ? ` What is left of this month's plan, ${credits(left)}, expires then.` : "";
  switch (begins) {
    case "paid":
      return `It begins when it is paid, with ${number(plan.monthlyCredits)} credits for the first month.${lost}`;
    case "later":
      if (view.paymentFailed) {
        return plan.usd === 0
          ? `The payment for this month failed, so the ${view.plan} plan ends at once. Nothing is charged any more.`
          : `The payment for this month failed and is tried again. After this month it is ${price(plan.usd)} a month.`;
      }
      return plan.usd === 0
        ? `This month is paid, so the ${view.plan} plan lasts until ${view.renewsAt ? day(view.renewsAt) : "its end"}. After that nothing is charged any more.`
        : `This month is paid, so the change comes on ${view.renewsAt ? day(view.renewsAt) : "its last day"}. From then on it is ${price(plan.usd)} a month.`;
    case "now":
      return "The change comes at once. The credits of this month stay until they expire.";
    case "stay":
      return `The ${plan.name} plan goes on as before, for ${price(plan.usd)} a month.`;
  }
}
