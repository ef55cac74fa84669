import type { Stripe } from "stripe";
import { z } from "zod";
import { failpoint } from "../../kit/index.ts";
import { takePack } from "../grant-order.ts";
import { saveExpired } from "../orders/store.ts";
import { loadPayer, reversePayment, saveDispute, saveRefund } from "../payment-store.ts";
import { stopDraft } from "./end-paying.ts";
import { followSubscription, isOver } from "./follow-subscription.ts";
import { takeInvoice } from "./invoice.ts";
import { decodeReport, type Report } from "./report.ts";
import { findOrder, type Received, type ReportDeps } from "./report-deps.ts";
import { ORDER_MARK, OUTSIDE_TIME } from "./stripe-account.ts";

/**
 * The only way in which money from Stripe becomes credits. Every step may be repeated and done in any order; if this
 * throws, Stripe sends the report again, for days.
 */
export async function receiveReport(
  deps: ReportDeps,
  body: Uint8Array,
  signature: string,
): Promise<Received> {
  let payload: unknown;
  try {
    payload = await deps.stripe.verify(body, signature);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(OUTSIDE_TIME)) {
      deps.log.warn("payment_report_too_old", {
        error: "Signed by Stripe, and more than five minutes from the clock of this machine: is it right?",
      });
    } else {
      deps.log.warn("payment_report_forged", { error: error instanceof Error ? error.name : "unknown" });
    }
    return "forged";
  }
  await failpoint("webhook_after_verify");
  try {
    const { id, isLive, report } = decodeReport(payload);
    const received = await actOn(deps, report, isLive);
    deps.log.info("payment_report", { report_id: id, kind: report.kind, received });
    return received;
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    deps.alert("unreadable", { fields: error.issues.map((issue) => issue.path.join(".")).join(", ") });
    return "refused";
  }
}

async function actOn(deps: ReportDeps, report: Report, isLive: boolean): Promise<Received> {
  // Test cards must not buy what real money buys.
  if (report.kind !== "other" && isLive !== deps.stripe.isLive) {
    deps.alert("mode_differs", { reported: isLive ? "live" : "test" });
    return "refused";
  }
  switch (report.kind) {
    case "checkout_paid":
      return takeCheckout(deps, report);
    case "checkout_over":
      return closeCheckout(deps, report);
    case "invoice_paid":
      return takeInvoice(deps, report.invoiceId);
    case "invoice_failed":
      return missInvoice(deps, report.invoiceId);
    case "subscription":
      return followReported(deps, report.subscriptionId);
    case "refund":
      return reverse(deps, report.chargeReference, () => saveRefund(deps.db, report));
    case "refund_failed":
      return reportFailedRefund(deps, report);
    case "dispute":
      return reverse(deps, report.chargeReference, () =>
        saveDispute(deps.db, { ...report, id: report.disputeId, isFinal: report.state !== "open" }),
      );
    case "other":
      return "ignored";
  }
}

async function takeCheckout(
  deps: ReportDeps,
  report: Extract<Report, { kind: "checkout_paid" }>,
): Promise<Received> {
  const order = await findOrder(deps, report.orderId);
  if (!order) return "ignored";
  const misfit =
    (order.kind !== "pack" && "order_differs") ||
    (order.checkoutId !== report.checkoutId && "checkout_differs") ||
    (order.orgId !== report.orgId && "organization_differs") ||
    (order.currency !== report.currency && "currency_differs") ||
    (order.amountCents !== report.amountCents && "amount_differs");
  if (misfit) {
    deps.alert(misfit, {
      order_id: order.id,
      checkout: report.checkoutId,
      amount_cents: report.amountCents,
      currency: report.currency,
    });
    return "refused";
  }
  await takePack(deps, { order, id: report.checkoutId, chargeReference: report.chargeReference });
  return "done";
}

async function closeCheckout(
  deps: ReportDeps,
  report: Extract<Report, { kind: "checkout_over" }>,
): Promise<Received> {
  const order = await findOrder(deps, report.orderId);
  if (!order || order.checkoutId !== report.checkoutId) return "ignored";
  await saveExpired(deps.db, order.id);
  return "done";
}

async function reverse(
  deps: ReportDeps,
  chargeReference: string,
  save: () => Promise<void>,
): Promise<Received> {
  // Stored first, applied second, so that a payment being written at this moment finds it.
  await save();
  const change = await reversePayment(deps.db, chargeReference);
  if (change !== null && change !== 0) deps.log.warn("payment_reversed", { credits: change });
  return change === null ? "ignored" : "done";
}

/**
 * Gives no credits back: the customer is still owed the money, and would get both once it is paid in another way. A
 * person decides.
 */
async function reportFailedRefund(
  deps: ReportDeps,
  report: Extract<Report, { kind: "refund_failed" }>,
): Promise<Received> {
  const orgId = await loadPayer(deps.db, report.chargeReference);
  if (orgId === null) return "ignored";
  deps.alert("refund_failed", {
    refund: report.refundId,
    org_id: orgId,
    amount_cents: report.amountCents,
  });
  return "done";
}

async function missInvoice(deps: ReportDeps, invoiceId: string): Promise<Received> {
  const invoice = await deps.stripe.loadInvoice(invoiceId);
  const subscription = invoice.parent?.subscription_details?.subscription;
  if (!subscription || typeof subscription === "string") return "ignored";
  return followSubscription(deps, subscription, invoice.hosted_invoice_url ?? null);
}

async function followReported(deps: ReportDeps, subscriptionId: string): Promise<Received> {
  // Reports may arrive out of order, so only the current state counts.
  const subscription = await deps.stripe.loadSubscription(subscriptionId);
  // Whoever ended it may have failed before stopping the draft; once the end is recorded here, nobody would retry that.
  if (isOver(subscription) && (await isOurs(deps, subscription))) await stopDraft(deps, subscription);
  return followSubscription(deps, subscription);
}

async function isOurs(deps: ReportDeps, { metadata }: Stripe.Subscription): Promise<boolean> {
  const orderId = metadata[ORDER_MARK];
  return orderId !== undefined && (await findOrder(deps, orderId)) !== undefined;
}
