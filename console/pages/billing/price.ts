import type { BillingView } from "../../../gateway/src/http/console/contract.ts";

export type Plan = BillingView["plans"][number];

const WHOLE = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const EXACT = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const RATE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Shows cents only if there are any. */
export function price(usd: number): string {
  return (Number.isInteger(usd) ? WHOLE : EXACT).format(usd);
}

export function creditsPerDollar(credits: number, usd: number): string {
  return `${RATE.format(credits / usd)} credits per dollar`;
}
