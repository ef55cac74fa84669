import type { Database } from "../db/index.ts";
import { newId } from "../kit/index.ts";
import type { Order } from "./orders/order.ts";

/** Records that a pack was paid, after its credits were granted; safe to repeat. */
export async function savePackPayment(
  db: Database,
  payment: { order: Order; id: string; chargeReference: string | null },
): Promise<void> {
  const { order } = payment;
  await db.transaction(async (client) => {
    // Serializes reports of one order: concurrent inserts could collide in the other unique key, which `on conflict
    // (id)` does not cover.
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
    /** Null for a test order, whose later periods are opened by the schedule. */
    subscription: { id: string; customerId: string; isRunning: boolean } | null;
    startsAt: Date;
    /** When the credits of the period expire. */
    endsAt: Date;
    renewsAt: Date;
  },
): Promise<PeriodOutcome> {
  const { rows } = await db.pool.query<{ outcome: PeriodOutcome }>(
    "select open_paid_period(expecting($10, $1), $2, $3, $4, $5, $6, $7, $8, $9) as outcome",
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
      db.time.text(),
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

/** The organization that made a payment; null if the payment is not ours. */
export async function loadPayer(db: Database, chargeReference: string): Promise<string | null> {
  const { rows } = await db.pool.query<{ org_id: string }>(
    "select org_id from payments where charge_reference = $1",
    [chargeReference],
  );
  return rows[0]?.org_id ?? null;
}

/**
 * The refunded total of a charge only grows, so the largest one reported is the newest. A refund that fails later is
 * left to a person.
 */
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

/**
 * Records the amount that a dispute currently withholds. After the dispute is decided, late reports of earlier states
 * are ignored.
 */
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

/** Returns the credits taken back now (negative if given back); null if the payment is not known yet. */
export async function reversePayment(db: Database, chargeReference: string): Promise<number | null> {
  const { rows } = await db.pool.query<{ change: number | null }>(
    "select reverse_payment(expecting($2, $1))::float8 as change",
    [chargeReference, db.time.text()],
  );
  return rows[0]?.change ?? null;
}

export async function loadMoment(db: Database): Promise<Date> {
  const { rows } = await db.pool.query<{ moment: Date }>(
    "select date_trunc('milliseconds', bursar_now()) as moment",
  );
  return rows[0]?.moment ?? new Date(Number.NaN);
}
