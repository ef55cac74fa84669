import { type Form, part, text, texts } from "./form-body.ts";

/** The Stripe objects that we use, with the fields of the API version that the library is made for. */
export type Session = {
  id: string;
  object: "checkout.session";
  mode: string;
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid" | "no_payment_required";
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  customer: string;
  customer_email: string | null;
  metadata: Record<string, string>;
  payment_intent: string | null;
  subscription: string | null;
  success_url: string;
  cancel_url: string;
  url: string | null;
  title: string;
  subscription_metadata: Record<string, string>;
};

export type Subscription = {
  id: string;
  object: "subscription";
  status: string;
  customer: string;
  metadata: Record<string, string>;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  latest_invoice: string | null;
  items: { object: "list"; data: SubscriptionItem[] };
};

type SubscriptionItem = {
  id: string;
  object: "subscription_item";
  current_period_start: number;
  current_period_end: number;
  price: { unit_amount: number; currency: string; product: string };
};

export type Invoice = {
  id: string;
  object: "invoice";
  status: "draft" | "open" | "paid";
  /** False if it stays a draft until finalized by hand. */
  auto_advance: boolean;
  billing_reason: string;
  total: number;
  amount_paid: number;
  currency: string;
  customer: string;
  hosted_invoice_url: string;
  lines: { object: "list"; data: { period: { start: number; end: number }; parent: { type: string } }[] };
  parent: {
    type: "subscription_details";
    subscription_details: { subscription: string; metadata: Record<string, string> };
  };
  payments: {
    object: "list";
    data: { status: string; payment: { type: "payment_intent"; payment_intent: string } }[];
  };
};

export type Event = {
  id: string;
  object: "event";
  type: string;
  livemode: boolean;
  data: { object: Record<string, unknown> };
};

export function sessionFrom(form: Form, id: string, origin: string): Session {
  const price = part(form, "line_items", "0", "price_data");
  return {
    id,
    object: "checkout.session",
    mode: text(form, "mode") ?? "",
    status: "open",
    payment_status: "unpaid",
    amount_total: Number(text(price, "unit_amount")),
    currency: text(price, "currency") ?? "",
    client_reference_id: text(form, "client_reference_id"),
    customer: text(form, "customer") ?? `cus_${id}`,
    customer_email: text(form, "customer_email"),
    metadata: texts(part(form, "metadata")),
    payment_intent: null,
    subscription: null,
    success_url: text(form, "success_url") ?? "",
    cancel_url: text(form, "cancel_url") ?? "",
    url: `${origin}/pay/${id}`,
    title: text(part(price, "product_data"), "name") ?? "",
    subscription_metadata: texts(part(form, "subscription_data", "metadata")),
  };
}

export function subscriptionFor(session: Session, id: string, start: number): Subscription {
  return {
    id,
    object: "subscription",
    status: "active",
    customer: session.customer,
    metadata: session.subscription_metadata,
    cancel_at: null,
    cancel_at_period_end: false,
    latest_invoice: null,
    items: {
      object: "list",
      data: [
        {
          id: `si_${id}`,
          object: "subscription_item",
          current_period_start: start,
          current_period_end: monthAfter(start),
          price: { unit_amount: session.amount_total, currency: session.currency, product: `prod_${id}` },
        },
      ],
    },
  };
}

export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error("a subscription has an item");
  return item;
}

/** For the current period of the subscription. */
export function invoiceFor(subscription: Subscription, id: string, reason: string): Invoice {
  const item = itemOf(subscription);
  const { unit_amount, currency } = item.price;
  return {
    id,
    object: "invoice",
    status: "draft",
    auto_advance: true,
    billing_reason: reason,
    total: unit_amount,
    amount_paid: 0,
    currency,
    customer: subscription.customer,
    hosted_invoice_url: `https://invoice.example/${id}`,
    lines: {
      object: "list",
      data: [
        {
          period: { start: item.current_period_start, end: item.current_period_end },
          parent: { type: "subscription_item_details" },
        },
      ],
    },
    parent: {
      type: "subscription_details",
      subscription_details: { subscription: subscription.id, metadata: { ...subscription.metadata } },
    },
    payments: { object: "list", data: [] },
  };
}

export function monthAfter(seconds: number): number {
  const date = new Date(seconds * 1000);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return Math.floor(date.getTime() / 1000);
}
