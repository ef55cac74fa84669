import type { Database } from "../src/db/index.ts";

/** Gives every plan's month that names a payment the row of that payment, where a test opened the month alone. */
export async function payMonths(db: Database): Promise<void> {
  await db.pool.query(
    `insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, period_start)
     select reference, org_id, id, created_at, pool, amount, 1, period_start from grants
     where kind = 'plan' and reference is not null on conflict do nothing`,
  );
}
