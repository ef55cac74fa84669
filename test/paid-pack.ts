import type { Database } from "../gateway/src/db/index.ts";

/**
 * Adds the paid order of a pack and its payment, for tests that granted the credits directly and then refund them.
 * Refunds refer to the payment by the order's id.
 */
export async function payForPack(
  db: Database,
  pack: {
    readonly orgId: string;
    readonly orderId: string;
    readonly credits: number;
    readonly cents: number;
  },
): Promise<void> {
  await db.pool.query(
    `with ordered as (
       insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider,
         status, paid_at)
       values ($1, $2, bursar_now(), $2, 'pack', 'pack', $3, $4, 'usd', 'stripe', 'paid', bursar_now()) returning *)
     insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, charge_reference)
     select id::text, org_id, id, created_at, 'anytime', credits, amount_cents, id::text from ordered`,
    [pack.orderId, pack.orgId, pack.credits, pack.cents],
  );
}
