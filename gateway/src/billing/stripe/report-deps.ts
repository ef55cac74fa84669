import type { Database } from "../../db/index.ts";
import { parseUuid } from "../../kit/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { Order } from "../orders/order.ts";
import { loadOrder } from "../orders/store.ts";
import type { PaymentAlerts } from "../payment-alerts.ts";
import type { StripeAccount } from "./stripe-account.ts";

export type ReportDeps = {
  readonly db: Database;
  readonly ledger: Pick<Ledger, "grant">;
  readonly stripe: StripeAccount;
  readonly log: Log;
  readonly alert: PaymentAlerts;
};

/**
 * done: acted upon, now or before. ignored: not ours. refused: does not match our order, and a person was alerted.
 * forged: not from Stripe, or too old.
 */
export type Received = "done" | "ignored" | "refused" | "forged";

/** Several installations may share a Stripe account: an order that we did not write belongs to another one. */
export async function findOrder(deps: Pick<ReportDeps, "db">, orderId: string): Promise<Order | undefined> {
  const id = parseUuid(orderId);
  const order = id === undefined ? undefined : await loadOrder(deps.db, id);
  return order?.provider === "stripe" ? order : undefined;
}
