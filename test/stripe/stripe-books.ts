import { type Form, part, text, texts } from "./form-body.ts";
import {
  type Event,
  type Invoice,
  invoiceFor,
  itemOf,
  monthAfter,
  type Session,
  type Subscription,
  sessionFrom,
  subscriptionFor,
} from "./stripe-objects.ts";

/**
 * The state of the fake Stripe, and what payers and the dashboard do to it. Each action returns the events it causes.
 */
export type StripeBooks = {
  readonly sessions: ReadonlyMap<string, Session>;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  createSession(form: Form, origin: string): Session;
  /** "refused" if the session is no longer open. */
  expireOpen(sessionId: string): Session | "refused" | undefined;
  /** With its subscription expanded, as our code requests it. */
  invoice(id: string): object | undefined;
  /** A change through the API: another price, other metadata, or an end. */
  change(subscription: Subscription, form: Form): Subscription;
  pay(sessionId: string): Event[];
  expire(sessionId: string): Event[];
  /**
   * Starts the next month with a draft invoice at the current price, which Stripe finalizes after about an hour.
   * Returns the invoice's id.
   */
  beginMonth(subscriptionId: string): string;
  /** A change through the API: a draft that is not to be finalized automatically. */
  changeInvoice(id: string, form: Form): object | undefined;
  /**
   * Finalizes a draft with the subscription's current metadata, unless `auto_advance` is off, and pays it. Also pays an
   * invoice whose payment failed before.
   */
  collect(invoiceId: string): Event[];
  /** The next month begins and is paid, or its payment fails. */
  renew(subscriptionId: string, outcome?: "paid" | "failed"): Event[];
  update(subscriptionId: string, change: Partial<Subscription>): Event[];
  refund(paymentIntent: string, amountCents: number, totalCents: number): Event[];
  /** The outcome of one refund, as each type of event reports it. */
  refundBecame(paymentIntent: string, amountCents: number, status: string): Event[];
  dispute(id: string, paymentIntent: string, amountCents: number, status: string): Event[];
  intentOf(invoiceId: string): string;
};

/** `now` is Stripe's clock, in seconds. */
export function createStripeBooks(now: () => number): StripeBooks {
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const invoices = new Map<string, Invoice>();

  function expireOpen(id: string): Session | "refused" | undefined {
    const session = sessions.get(id);
    if (session && session.status !== "open") return "refused";
    return session && Object.assign(session, { status: "expired", url: null });
  }

  function draftInvoice(subscription: Subscription, reason: string): Invoice {
    const invoice = invoiceFor(subscription, newId("in"), reason);
    invoices.set(invoice.id, invoice);
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  function finalize(invoice: Invoice): void {
    if (invoice.status !== "draft") return;
    const details = invoice.parent.subscription_details;
    details.metadata = { ...found(details.subscription).metadata };
    invoice.status = "open";
  }

  function settleInvoice(invoice: Invoice): Event {
    finalize(invoice);
    Object.assign(invoice, { status: "paid", amount_paid: invoice.total });
    const payment = { type: "payment_intent", payment_intent: newId("pi") } as const;
    invoice.payments.data.push({ status: "paid", payment });
    return event("invoice.paid", invoice);
  }

  function missInvoice(invoice: Invoice): Event {
    finalize(invoice);
    return event("invoice.payment_failed", invoice);
  }

  function beginMonth(subscriptionId: string): Invoice {
    const subscription = found(subscriptionId);
    const item = itemOf(subscription);
    item.current_period_start = item.current_period_end;
    item.current_period_end = monthAfter(item.current_period_start);
    return draftInvoice(subscription, "subscription_cycle");
  }

  function found(subscriptionId: string): Subscription {
    const subscription = subscriptions.get(subscriptionId);
    if (!subscription) throw new Error(`no subscription ${subscriptionId}`);
    return subscription;
  }

  return {
    sessions,
    subscriptions,
    expireOpen,
    createSession(form, origin) {
      const session = sessionFrom(form, newId("cs"), origin);
      sessions.set(session.id, session);
      return session;
    },
    invoice(id) {
      const invoice = invoices.get(id);
      if (!invoice) return undefined;
      const { subscription, metadata } = invoice.parent.subscription_details;
      const details = { metadata, subscription: subscriptions.get(subscription) };
      return { ...invoice, parent: { type: "subscription_details", subscription_details: details } };
    },
    changeInvoice(id, form) {
      const invoice = invoices.get(id);
      const advances = text(form, "auto_advance");
      if (invoice && advances !== null) invoice.auto_advance = advances === "true";
      return invoice;
    },
    change: changeBy,
    pay(sessionId) {
      const session = sessions.get(sessionId);
      if (session?.status !== "open") throw new Error(`${sessionId} cannot be paid`);
      Object.assign(session, { status: "complete", payment_status: "paid", url: null });
      if (session.mode === "payment") {
        session.payment_intent = newId("pi");
        return [event("checkout.session.completed", session)];
      }
      const subscription = subscriptionFor(session, newId("sub"), now());
      subscriptions.set(subscription.id, subscription);
      session.subscription = subscription.id;
      const paid = settleInvoice(draftInvoice(subscription, "subscription_create"));
      return [event("checkout.session.completed", session), paid];
    },
    expire(sessionId) {
      expireOpen(sessionId);
      return [event("checkout.session.expired", sessions.get(sessionId) ?? {})];
    },
    beginMonth: (subscriptionId) => beginMonth(subscriptionId).id,
    collect(invoiceId) {
      const invoice = invoices.get(invoiceId);
      if (!invoice || invoice.status === "paid") throw new Error(`${invoiceId} cannot be paid`);
      if (invoice.status === "draft" && !invoice.auto_advance) return [];
      found(invoice.parent.subscription_details.subscription).status = "active";
      return [settleInvoice(invoice)];
    },
    renew(subscriptionId, outcome = "paid") {
      const invoice = beginMonth(subscriptionId);
      const subscription = found(subscriptionId);
      subscription.status = outcome === "paid" ? "active" : "past_due";
      if (outcome === "paid") return [settleInvoice(invoice)];
      return [missInvoice(invoice), event("customer.subscription.updated", subscription)];
    },
    update(subscriptionId, change) {
      const subscription = Object.assign(found(subscriptionId), change);
      const type = subscription.status === "canceled" ? "deleted" : "updated";
      return [event(`customer.subscription.${type}`, subscription)];
    },
    refund: (payment_intent, amount_refunded, amount) => [
      event("charge.refunded", { id: `ch_${payment_intent}`, amount, amount_refunded, payment_intent }),
    ],
    refundBecame(payment_intent, amount, status) {
      const refund = { id: newId("re"), amount, status, charge: `ch_${payment_intent}`, payment_intent };
      const types = [
        "charge.refund.updated",
        "refund.updated",
        ...(status === "failed" ? ["refund.failed"] : []),
      ];
      return types.map((type) => event(type, refund));
    },
    dispute(id, payment_intent, amount, status) {
      const isClosed = status === "won" || status === "lost";
      return [
        event(`charge.dispute.${isClosed ? "closed" : "created"}`, { id, amount, status, payment_intent }),
      ];
    },
    intentOf: (invoiceId) => invoices.get(invoiceId)?.payments.data[0]?.payment.payment_intent ?? "",
  };
}

let ids = 0;

export function newId(prefix: string): string {
  return `${prefix}_${++ids}${crypto.randomUUID().slice(0, 8)}`;
}

function event(type: string, object: object): Event {
  return {
    id: newId("evt"),
    object: "event",
    type,
    livemode: false,
    data: { object: structuredClone(object) as Record<string, unknown> },
  };
}

function changeBy(subscription: Subscription, form: Form): Subscription {
  const ending = text(form, "cancel_at_period_end");
  if (ending !== null) {
    subscription.cancel_at_period_end = ending === "true";
    subscription.cancel_at = ending === "true" ? itemOf(subscription).current_period_end : null;
  }
  Object.assign(subscription.metadata, texts(part(form, "metadata")));
  const amount = text(part(form, "items", "0", "price_data"), "unit_amount");
  if (amount !== null) itemOf(subscription).price.unit_amount = Number(amount);
  return subscription;
}
