import type { Credits } from "../../kit/index.ts";

/** What somebody set out to buy, as it stood then; written before they are sent away to pay. */
export type Order = {
  readonly id: string;
  readonly orgId: string;
  readonly createdAt: Date;
  readonly kind: "pack" | "plan";
  /** Name of the pack or plan. */
  readonly item: string;
  /** Of the pack, or of every month of the plan. */
  readonly credits: Credits;
  readonly amountCents: number;
  readonly currency: string;
  readonly provider: "stripe" | "test";
  readonly status: "open" | "paid" | "expired";
  /** The checkout at the provider. */
  readonly checkoutId: string | null;
};

/** An order with what became of its payments, for people. */
export type OrderRecord = Order & {
  /** Of all its payments: a plan has one every month. */
  readonly payments: number;
  readonly refundedCents: number;
  readonly disputedCents: number;
};

export const CURRENCY = "usd";
