import type { Database } from "../db/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { addMonths } from "./calendar.ts";
import type { Order } from "./orders/order.ts";
import { loadMoment, reversePayment, savePackPayment, savePaidPeriod } from "./payment-store.ts";

type Deps = { readonly db: Database; readonly ledger: Pick<Ledger, "grant"> };

/** Grants first, under the order's reference, so that repeating this after a crash adds nothing. */
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

/** Fulfils an order of the test checkout. Nobody pays, so months after the first are opened by the schedule. */
export async function takeTestOrder(deps: Deps, order: Order): Promise<void> {
  const paymentId = `test:${order.id}`;
  if (order.kind === "pack") return takePack(deps, { order, id: paymentId, chargeReference: null });
  const startsAt = await loadMoment(deps.db);
  const endsAt = addMonths(startsAt, 1);
  const period = { paymentId, orderId: order.id, subscription: null, startsAt, endsAt, renewsAt: endsAt };
  const outcome = await savePaidPeriod(deps.db, period);
  if (outcome !== "renewed" && outcome !== "repeat") throw new Error(`order ${order.id}: ${outcome}`);
}
