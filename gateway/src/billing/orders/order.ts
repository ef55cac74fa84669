import type { Credits } from "../../kit/index.ts";

/** What somebody set out to buy, on the terms of that moment; written before they are sent away to pay. */
export type Order = {
  readonly id: string;
  readonly orgId: string;
  readonly createdAt: Date;
  readonly kind: "pack" | "plan";
  /** Name of the pack or plan. */
  readonly item: string;
  /** Credits of the pack, or of each month of the plan. */
  readonly credits: Credits;
  readonly amountCents: number;
  readonly currency: string;
  readonly provider: "stripe" | "test";
  readonly status: "open" | "paid" | "expired";
  /** Id of the provider's checkout session. */
  readonly checkoutId: string | null;
};

/** An order and the state of its payments, for display. */
export type OrderRecord = Order & {
  /** Number of payments: a plan has one every month. */
  readonly payments: number;
  readonly refundedCents: number;
  readonly disputedCents: number;
};

export const CURRENCY = "usd";
