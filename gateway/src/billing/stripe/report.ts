import { z } from "zod";
import { ORDER_MARK, ORGANIZATION_MARK } from "./stripe-account.ts";

/**
 * The Stripe events that concern us. An event has the shape of the API version that the endpoint was set up with, so
 * only fields that have been stable for years are read; objects that change between versions (invoices, subscriptions)
 * are loaded by id.
 */
export type Report =
  | {
      readonly kind: "checkout_paid";
      readonly checkoutId: string;
      readonly orderId: string;
      readonly orgId: string | null;
      readonly amountCents: number | null;
      readonly currency: string | null;
      readonly chargeReference: string | null;
    }
  | { readonly kind: "checkout_over"; readonly checkoutId: string; readonly orderId: string }
  | { readonly kind: "invoice_paid" | "invoice_failed"; readonly invoiceId: string }
  | { readonly kind: "subscription"; readonly subscriptionId: string }
  | {
      readonly kind: "refund";
      readonly chargeId: string;
      readonly chargeReference: string;
      readonly amountCents: number;
    }
  | {
      readonly kind: "refund_failed";
      readonly refundId: string;
      readonly chargeReference: string;
      readonly amountCents: number;
    }
  | {
      readonly kind: "dispute";
      readonly disputeId: string;
      readonly chargeReference: string;
      readonly amountCents: number;
      readonly state: "open" | "won" | "lost";
    }
  | { readonly kind: "other" };

const OTHER: Report = { kind: "other" };

const event = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});
const reference = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((value) => (typeof value === "string" ? value : value.id));
const cents = z.int().nonnegative();
const marks = z.record(z.string(), z.string()).nullish();

const checkout = z.object({
  id: z.string(),
  mode: z.string(),
  payment_status: z.string(),
  amount_total: cents.nullable(),
  currency: z.string().nullable(),
  metadata: marks,
  payment_intent: reference.nullish(),
});
const withId = z.object({ id: z.string() });
const charge = z.object({ id: z.string(), amount_refunded: cents, payment_intent: reference.nullish() });
const refund = z.object({
  id: z.string(),
  amount: cents,
  status: z.string().nullish(),
  payment_intent: reference.nullish(),
});
const dispute = z.object({
  id: z.string(),
  amount: cents,
  status: z.string(),
  payment_intent: reference.nullish(),
});

/** Throws if the payload is not an event; event types that we do not use become `other`. */
export function decodeReport(payload: unknown): {
  readonly id: string;
  readonly isLive: boolean;
  readonly report: Report;
} {
  const { id, type, livemode, data } = event.parse(payload);
  return { id, isLive: livemode, report: reportOf(type, data.object) };
}

function reportOf(type: string, object: unknown): Report {
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return paidCheckout(checkout.parse(object));
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired":
      return overCheckout(checkout.parse(object));
    case "invoice.paid":
      return { kind: "invoice_paid", invoiceId: withId.parse(object).id };
    case "invoice.payment_failed":
      return { kind: "invoice_failed", invoiceId: withId.parse(object).id };
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return { kind: "subscription", subscriptionId: withId.parse(object).id };
    case "charge.refunded":
      return refundOf(charge.parse(object));
    case "refund.failed":
    case "refund.updated":
    case "charge.refund.updated":
      return failedRefundOf(refund.parse(object));
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
      return disputeOf(dispute.parse(object));
    default:
      return OTHER;
  }
}

/**
 * Plans are excluded: they are paid by their invoices, including the first. A bank transfer that is still pending is
 * not paid yet.
 */
function paidCheckout(session: z.output<typeof checkout>): Report {
  const orderId = session.metadata?.[ORDER_MARK];
  if (orderId === undefined || session.mode !== "payment" || session.payment_status !== "paid") return OTHER;
  return {
    kind: "checkout_paid",
    checkoutId: session.id,
    orderId,
    orgId: session.metadata?.[ORGANIZATION_MARK] ?? null,
    amountCents: session.amount_total,
    currency: session.currency,
    chargeReference: session.payment_intent ?? null,
  };
}

function overCheckout(session: z.output<typeof checkout>): Report {
  const orderId = session.metadata?.[ORDER_MARK];
  return orderId === undefined ? OTHER : { kind: "checkout_over", checkoutId: session.id, orderId };
}

function refundOf({ id, amount_refunded, payment_intent }: z.output<typeof charge>): Report {
  if (!payment_intent) return OTHER;
  return { kind: "refund", chargeId: id, chargeReference: payment_intent, amountCents: amount_refunded };
}

function failedRefundOf({ id, amount, status, payment_intent }: z.output<typeof refund>): Report {
  if (!payment_intent || (status !== "failed" && status !== "canceled")) return OTHER;
  return { kind: "refund_failed", refundId: id, chargeReference: payment_intent, amountCents: amount };
}

/** An inquiry (`warning_…`) withholds no money; a dispute does so from its first day. */
function disputeOf({ id, amount, status, payment_intent }: z.output<typeof dispute>): Report {
  if (!payment_intent || status.startsWith("warning_")) return OTHER;
  const isWon = status === "won" || status === "prevented";
  const state = isWon ? "won" : status === "lost" ? "lost" : "open";
  return {
    kind: "dispute",
    disputeId: id,
    chargeReference: payment_intent,
    amountCents: state === "won" ? 0 : amount,
    state,
  };
}
