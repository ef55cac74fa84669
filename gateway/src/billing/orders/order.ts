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

export type CheckoutRequest = {
  readonly order: Order;
  /** Shown to the payer, such as "100,000 anytime credits". */
  readonly title: string;
  /** Known from an earlier payment; if null, the payer's email is filled in instead. */
  readonly customerId: string | null;
  readonly email: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
};

/**
 * expired: nobody can pay it any more. paid: it was paid before. unknown: Stripe does not know it, or is waiting for a
 * bank that may never pay.
 */
type ExpiredCheckout = "expired" | "paid" | "unknown";

/** Where orders are paid. */
export type Checkouts = {
  createCheckout(request: CheckoutRequest): Promise<{ id: string; url: string }>;
  expireCheckout(checkoutId: string): Promise<ExpiredCheckout>;
};
