import type { Database } from "../db/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { addMonths } from "./calendar.ts";
import type { Order } from "./orders/order.ts";
import { loadMoment, reversePayment, savePackPayment, savePaidPeriod } from "./payment-store.ts";

type Deps = { readonly db: Database; readonly ledger: Pick<Ledger, "grant"> };

/** The grant first, under the order's own reference: whoever repeats this after any crash adds nothing. */
export async function takePack(
  { db, ledger }: Deps,
  payment: { readonly order: Order; readonly id: string; readonly chargeReference: string | null },
): Promise<void> {
  const { order } = payment;
  const { outcome } = await ledger.grant({
    orgId: order.orgId,
    pool: "anytime",
    amount: order.credits,
    reference: `order:${order.id}`,
    expiresAt: null,
    kind: "pack",
    description: `credits of the ${order.item} pack`,
  });
  if (outcome !== "granted" && outcome !== "repeat") throw new Error(`order ${order.id}: ${outcome}`);
  await savePackPayment(db, payment);
  if (payment.chargeReference !== null) await reversePayment(db, payment.chargeReference);
}

/** Of the test checkout: nobody pays, so the months after the first come by schedule. */
export async function takeTestOrder(deps: Deps, order: Order): Promise<void> {
  const paymentId = `test:${order.id}`;
  if (order.kind === "pack") return takePack(deps, { order, id: paymentId, chargeReference: null });
  const startsAt = await loadMoment(deps.db);
  const endsAt = addMonths(startsAt, 1);
  const period = { paymentId, orderId: order.id, subscription: null, startsAt, endsAt, renewsAt: endsAt };
  const outcome = await savePaidPeriod(deps.db, period);
  if (outcome !== "renewed" && outcome !== "repeat") throw new Error(`order ${order.id}: ${outcome}`);
}
