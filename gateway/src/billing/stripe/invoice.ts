import type { Stripe } from "stripe";
import { failpoint, HOUR_MS } from "../../kit/index.ts";
import type { Order } from "../orders/order.ts";
import type { PaymentAlert } from "../payment-alerts.ts";
import { type PeriodOutcome, reversePayment, saveChargeReference, savePaidPeriod } from "../payment-store.ts";
import { loadOrderIds } from "../subscription-store.ts";
import { endReplaced } from "./end-replaced.ts";
import { followSubscription, isOver } from "./follow-subscription.ts";
import { findOrder, type Received, type ReportDeps } from "./report-deps.ts";
import { ORDER_MARK, ORGANIZATION_MARK } from "./stripe-account.ts";

/**
 * Stripe collects an invoice about an hour after its period began. Until then the credits of the previous period stay
 * valid, or every month would begin with an hour of refusals.
 */
const COLLECTION_MS = 3 * HOUR_MS;

type Period = { readonly startsAt: Date; readonly renewsAt: Date };

export async function takeInvoice(deps: ReportDeps, invoiceId: string): Promise<Received> {
  const invoice = await deps.stripe.loadInvoice(invoiceId);
  const details = invoice.parent?.subscription_details;
  const orderId = details?.metadata?.[ORDER_MARK];
  const marked = orderId === undefined ? undefined : await findOrder(deps, orderId);
  const subscription = details?.subscription;
  if (!marked || !subscription || typeof subscription === "string") return "ignored";
  const order = await payingOrder(deps, { invoice, marked, subscriptionId: subscription.id });
  const misfit = misfitOf(invoice, order);
  const period = periodOf(invoice);
  if (misfit !== null || period === null) {
    deps.alert(misfit ?? "order_differs", {
      order_id: order.id,
      invoice: invoiceId,
      amount_cents: invoice.total,
      currency: invoice.currency,
    });
    return "refused";
  }
  await openPeriod(deps, { invoice, order, subscription, period });
  const chargeReference = chargeOf(invoice);
  if (chargeReference !== null) {
    await saveChargeReference(deps.db, invoiceId, chargeReference);
    await reversePayment(deps.db, chargeReference);
  }
  await followSubscription(deps, subscription);
  await endReplaced(deps, order.orgId);
  return "done";
}

/**
 * An invoice has the price from the start of its month, but metadata from an hour later. If another plan was chosen in
 * between, the metadata names an order that the invoice does not charge; the total decides which order it is.
 */
async function payingOrder(
  deps: ReportDeps,
  { invoice, marked, subscriptionId }: { invoice: Stripe.Invoice; marked: Order; subscriptionId: string },
): Promise<Order> {
  if (misfitOf(invoice, marked) !== "amount_differs") return marked;
  for (const id of await loadOrderIds(deps.db, subscriptionId)) {
    const order = await findOrder(deps, id);
    if (order && misfitOf(invoice, order) === null) return order;
  }
  return marked;
}

function misfitOf(invoice: Stripe.Invoice, order: Order): PaymentAlert | null {
  const marks = invoice.parent?.subscription_details?.metadata;
  if (order.kind !== "plan" || invoice.status !== "paid") return "order_differs";
  if (marks?.[ORGANIZATION_MARK] !== order.orgId) return "organization_differs";
  if (invoice.currency !== order.currency) return "currency_differs";
  return invoice.total === order.amountCents ? null : "amount_differs";
}

/** The newest month on the invoice: the invoice's own `period` is the previous month. */
function periodOf(invoice: Stripe.Invoice): Period | null {
  const months = invoice.lines.data
    .filter((line) => line.parent?.type === "subscription_item_details")
    .map((line) => line.period)
    .toSorted((a, b) => b.end - a.end);
  const newest = months[0];
  if (!newest || newest.end <= newest.start) return null;
  return { startsAt: new Date(newest.start * 1_000), renewsAt: new Date(newest.end * 1_000) };
}

const UNHONOURED: Readonly<Partial<Record<PeriodOutcome, PaymentAlert>>> = {
  over: "period_over",
  stale: "period_over",
  replaced: "subscription_replaced",
};

async function openPeriod(
  deps: ReportDeps,
  paid: { invoice: Stripe.Invoice; order: Order; subscription: Stripe.Subscription; period: Period },
): Promise<void> {
  const { invoice, order, subscription, period } = paid;
  const paymentId = invoice.id ?? "";
  const outcome = await savePaidPeriod(deps.db, {
    paymentId,
    orderId: order.id,
    subscription: {
      id: subscription.id,
      customerId: idOf(subscription.customer),
      isRunning: !isOver(subscription),
    },
    startsAt: period.startsAt,
    endsAt: new Date(period.renewsAt.getTime() + COLLECTION_MS),
    renewsAt: period.renewsAt,
  });
  await failpoint("grant_after_commit");
  // Stripe will report it again later, when the clocks agree.
  if (outcome === "early") throw new Error(`the period of invoice ${paymentId} has not begun`);
  const reason = UNHONOURED[outcome];
  if (reason !== undefined) deps.alert(reason, { order_id: order.id, invoice: paymentId });
}

/** The payment intent, by which refunds and disputes will refer to the payment. */
function chargeOf(invoice: Stripe.Invoice): string | null {
  const paid = invoice.payments?.data.find((payment) => payment.status === "paid");
  const intent = paid?.payment.payment_intent;
  return intent === undefined ? null : idOf(intent);
}

function idOf(reference: string | { readonly id: string }): string {
  return typeof reference === "string" ? reference : reference.id;
}
