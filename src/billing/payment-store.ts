import type { Database } from "../db/index.ts";
import { newId } from "../kit/index.ts";
import type { Order } from "./orders/order.ts";

/** Notes that a pack was paid, after its credits were granted; safe to repeat. */
export async function savePackPayment(
  db: Database,
  payment: { order: Order; id: string; chargeReference: string | null },
): Promise<void> {
  const { order } = payment;
  await db.transaction(async (client) => {
    // One report after the other: two that insert at once may meet in the second unique key, which nothing forgives.
    await client.query("select from payment_orders where id = $1 for update", [order.id]);
    await client.query(
      `insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, charge_reference)
       values ($1, $2, $3, bursar_now(), 'anytime', $4, $5, $6)
       on conflict (id) do update set charge_reference = coalesce(payments.charge_reference, excluded.charge_reference)`,
      [payment.id, order.orgId, order.id, order.credits, order.amountCents, payment.chargeReference],
    );
    await client.query(
      `update payment_orders set status = 'paid', paid_at = coalesce(paid_at, bursar_now())
       where id = $1 and status <> 'paid'`,
      [order.id],
    );
  });
}

export type PeriodOutcome = "renewed" | "repeat" | "early" | "over" | "stale" | "replaced";

export async function savePaidPeriod(
  db: Database,
  period: {
    paymentId: string;
    orderId: string;
    /** Null for a test order, whose later periods come by schedule. */
    subscription: { id: string; customerId: string; isRunning: boolean } | null;
    startsAt: Date;
    /** When its credits expire. */
    endsAt: Date;
    renewsAt: Date;
  },
): Promise<PeriodOutcome> {
  const { rows } = await db.pool.query<{ outcome: PeriodOutcome }>(
    "select open_paid_period($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome",
    [
      period.paymentId,
      period.orderId,
      period.subscription?.id ?? null,
      period.subscription?.customerId ?? null,
      period.startsAt,
      period.endsAt,
      period.renewsAt,
      newId(),
      period.subscription?.isRunning ?? false,
    ],
  );
  return rows[0]?.outcome ?? "early";
}

export async function saveChargeReference(
  db: Database,
  paymentId: string,
  chargeReference: string,
): Promise<void> {
  await db.pool.query(
    "update payments set charge_reference = $2 where id = $1 and charge_reference is null",
    [paymentId, chargeReference],
  );
}

/** The organization that made a payment; null where it is none of ours. */
export async function loadPayer(db: Database, chargeReference: string): Promise<string | null> {
  const { rows } = await db.pool.query<{ org_id: string }>(
    "select org_id from payments where charge_reference = $1",
    [chargeReference],
  );
  return rows[0]?.org_id ?? null;
}

/** All refunds of a charge only ever grow, so the largest report is the newest; one that fails later is a person's. */
export async function saveRefund(
  db: Database,
  refund: { chargeId: string; chargeReference: string; amountCents: number },
): Promise<void> {
  await db.pool.query(
    `insert into payment_reversals (id, charge_reference, kind, amount_cents) values ($1, $2, 'refund', $3)
     on conflict (id) do update set amount_cents = greatest(payment_reversals.amount_cents, excluded.amount_cents)`,
    [refund.chargeId, refund.chargeReference, refund.amountCents],
  );
}

/** What a dispute holds back at the moment. Once it was decided, what is reported of earlier changes nothing. */
export async function saveDispute(
  db: Database,
  dispute: { id: string; chargeReference: string; amountCents: number; isFinal: boolean },
): Promise<void> {
  await db.pool.query(
    `insert into payment_reversals as r (id, charge_reference, kind, amount_cents, is_final)
     values ($1, $2, 'dispute', $3, $4)
     on conflict (id) do update set amount_cents = excluded.amount_cents, is_final = excluded.is_final
     where not r.is_final`,
    [dispute.id, dispute.chargeReference, dispute.amountCents, dispute.isFinal],
  );
}

/** Credits taken back now (negative: given back); null while the payment itself is not known. */
export async function reversePayment(db: Database, chargeReference: string): Promise<number | null> {
  const { rows } = await db.pool.query<{ change: string | null }>("select reverse_payment($1) as change", [
    chargeReference,
  ]);
  const change = rows[0]?.change ?? null;
  return change === null ? null : Number(change);
}

export async function loadMoment(db: Database): Promise<Date> {
  const { rows } = await db.pool.query<{ moment: Date }>(
    "select date_trunc('milliseconds', bursar_now()) as moment",
  );
  return rows[0]?.moment ?? new Date(Number.NaN);
}
