import type { Database } from "../gateway/src/db/index.ts";

/**
 * Adds the payment and its order to every plan's month that refers to a payment, for tests that opened the month
 * directly in the ledger.
 */
export async function payMonths(db: Database): Promise<void> {
  await db.pool.query(
    `with months as (
       select * from grants where kind = 'plan' and reference is not null
     ), ordered as (
       insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider,
         status)
       select id, org_id, created_at, org_id, 'plan', 'plan', amount, 1, 'usd', 'stripe', 'paid' from months
       on conflict do nothing)
     insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, period_start)
     select reference, org_id, id, created_at, pool, amount, 1, period_start from months on conflict do nothing`,
  );
}
