import type { Stripe } from "stripe";
import { lazily, systemClock } from "../../kit/index.ts";
import type { CheckoutRequest, Checkouts, Order } from "../orders/order.ts";

export type StripeSettings = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Null for Stripe itself. */
  readonly apiUrl: string | null;
};

/** Metadata keys that we put on all our objects at Stripe; reports about other objects are not ours. */
export const ORDER_MARK = "bursar_order";
export const ORGANIZATION_MARK = "bursar_organization";

/** Every request we make to Stripe. Its library is loaded on first use. */
export type StripeAccount = Checkouts & {
  /** Whether our key moves real money. */
  readonly isLive: boolean;
  /** Throws if the signature is wrong, too old or of the future. */
  verify(body: Uint8Array, signature: string): Promise<unknown>;
  /** Includes its subscription and payment, in the shape of the API version that this code was written for. */
  loadInvoice(invoiceId: string): Promise<Stripe.Invoice>;
  /**
   * Keeps a draft invoice from being collected, whatever becomes of its subscription. False if our key may not write
   * invoices, in which case a retry is pointless.
   */
  stopCollecting(invoiceId: string): Promise<boolean>;
  loadSubscription(subscriptionId: string): Promise<Stripe.Subscription>;
  /** Null if this account does not know it, for instance after a change of keys. */
  findSubscription(subscriptionId: string): Promise<Stripe.Subscription | null>;
  /** Switches to another order's plan and price from the next invoice on, and removes a scheduled end. */
  reorder(subscription: Stripe.Subscription, order: Order, title: string): Promise<Stripe.Subscription>;
  endWithPeriod(subscriptionId: string): Promise<Stripe.Subscription>;
  /** Ends it at once, without a refund; succeeds if it is already over. */
  endNow(subscriptionId: string): Promise<void>;
  /** URL where the customer sees invoices and changes the card. */
  createPortal(customerId: string, returnUrl: string): Promise<string>;
};

/** Stripe's library checks the age only after the signature, and tells this case apart only by its message. */
export const OUTSIDE_TIME = "Timestamp outside";
/** As much as a report may be old. */
const MOST_AHEAD_MS = 300_000;
const TIMEOUT_MS = 15_000;
const MAX_RETRIES = 2;

export function openStripe(settings: StripeSettings): StripeAccount {
  const client = lazily(() => connect(settings));
  return {
    isLive: /^(sk|rk)_live_/.test(settings.secretKey),
    async verify(body, signature) {
      const { webhooks } = await client();
      const report = await webhooks.constructEventAsync(body, signature, settings.webhookSecret);
      const signedAtMs = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]) * 1_000;
      if (signedAtMs > systemClock.nowMs() + MOST_AHEAD_MS)
        throw new Error(`${OUTSIDE_TIME} the tolerance: ahead`);
      return report;
    },
    async createCheckout(request) {
      const { checkout } = await client();
      const session = await checkout.sessions.create(checkoutParams(request), {
        idempotencyKey: `bursar-order-${request.order.id}`,
      });
      if (!session.url) throw new Error("a checkout without an address");
      return { id: session.id, url: session.url };
    },
    async expireCheckout(checkoutId) {
      const { sessions } = (await client()).checkout;
      if (await sessions.expire(checkoutId).then(() => true, falseWhenRefused)) return "expired";
      const session = await sessions.retrieve(checkoutId).catch(nullWhenUnknown);
      if (session?.status === "expired") return "expired";
      return session?.payment_status === "paid" ? "paid" : "unknown";
    },
    async loadInvoice(invoiceId) {
      const { invoices } = await client();
      return invoices.retrieve(invoiceId, {
        expand: ["payments", "parent.subscription_details.subscription"],
      });
    },
    async stopCollecting(invoiceId) {
      const stripe = await client();
      return stripe.invoices.update(invoiceId, { auto_advance: false }).then(() => true, falseWhenForbidden);
    },
    async loadSubscription(subscriptionId) {
      return (await client()).subscriptions.retrieve(subscriptionId);
    },
    async findSubscription(subscriptionId) {
      return (await client()).subscriptions.retrieve(subscriptionId).catch(nullWhenUnknown);
    },
    async reorder(subscription, order, title) {
      const stripe = await client();
      const item = subscription.items.data[0];
      if (!item) throw new Error("a subscription without an item");
      const key = `bursar-reorder-${order.id}-${subscription.latest_invoice ?? ""}`;
      const product = await stripe.products.create({ name: title }, { idempotencyKey: `${key}-product` });
      return stripe.subscriptions.update(subscription.id, {
        items: [
          {
            id: item.id,
            price_data: {
              currency: order.currency,
              unit_amount: order.amountCents,
              recurring: { interval: "month" },
              product: product.id,
            },
          },
        ],
        proration_behavior: "none",
        cancel_at_period_end: false,
        metadata: marksOf(order),
      });
    },
    async endWithPeriod(subscriptionId) {
      return (await client()).subscriptions.update(subscriptionId, { cancel_at_period_end: true });
    },
    async endNow(subscriptionId) {
      const { subscriptions } = await client();
      await subscriptions.cancel(subscriptionId, { prorate: false }).then(() => true, falseWhenRefused);
    },
    async createPortal(customerId, returnUrl) {
      const { billingPortal } = await client();
      const session = await billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
      return session.url;
    },
  };
}

async function connect({ secretKey, apiUrl }: StripeSettings): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  return new Stripe(secretKey, {
    maxNetworkRetries: MAX_RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(apiUrl === null ? {} : addressOf(new URL(apiUrl))),
  });
}

function addressOf({ hostname, port, protocol }: URL) {
  const isPlain = protocol === "http:";
  return {
    host: hostname,
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? ("http" as const) : ("https" as const),
  };
}

function marksOf(order: Order): Record<string, string> {
  return { [ORDER_MARK]: order.id, [ORGANIZATION_MARK]: order.orgId };
}

function checkoutParams(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { order, title, customerId, email } = request;
  const isPlan = order.kind === "plan";
  const metadata = marksOf(order);
  return {
    mode: isPlan ? "subscription" : "payment",
    client_reference_id: order.orgId,
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: order.currency,
          unit_amount: order.amountCents,
          product_data: { name: title },
          ...(isPlan ? { recurring: { interval: "month" as const } } : {}),
        },
      },
    ],
    ...(isPlan
      ? { subscription_data: { metadata } }
      : { payment_intent_data: { metadata, description: title } }),
    ...(customerId === null ? { customer_email: email } : { customer: customerId }),
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  };
}

/**
 * Stripe answers 400 or 404 if the object is already over. Any other failure says nothing about that, so it is
 * rethrown.
 */
function falseWhenRefused(error: unknown): false {
  const status = statusOf(error);
  if (status === 400 || status === 404) return false;
  throw error;
}

function nullWhenUnknown(error: unknown): null {
  if (statusOf(error) === 404) return null;
  throw error;
}

function falseWhenForbidden(error: unknown): false {
  if (statusOf(error) === 403) return false;
  throw error;
}

function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode;
}
