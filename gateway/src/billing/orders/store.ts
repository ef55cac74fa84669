import type { Database } from "../../db/index.ts";
import type { Order, OrderRecord } from "./order.ts";

const COLUMNS = `o.id, o.org_id as "orgId", o.created_at as "createdAt", o.kind, o.item,
  o.credits::float8 as credits, o.amount_cents::float8 as "amountCents", o.currency, o.provider, o.status,
  o.checkout_id as "checkoutId"`;

type NewOrder = Omit<Order, "createdAt" | "status" | "checkoutId"> & { readonly orderedBy: string };

/**
 * Undefined if the organization has placed too many orders within the hour. Counted without a lock: a few more at once
 * do no harm.
 */
export async function insertOrder(
  db: Database,
  order: NewOrder,
  mostPerHour: number,
): Promise<Order | undefined> {
  const { rows } = await db.pool.query<Order>(
    `insert into payment_orders as o
       (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider)
     select $1, $2, bursar_now(), $3, $4, $5, $6, $7, $8, $9
     where (select count(*) from (
       select 1 from payment_orders x where x.org_id = $2 and x.status <> 'paid'
         and x.created_at > bursar_now() - interval '1 hour' order by x.id desc limit $10) recent) < $10
     returning ${COLUMNS}`,
    [
      order.id,
      order.orgId,
      order.orderedBy,
      order.kind,
      order.item,
      order.credits,
      order.amountCents,
      order.currency,
      order.provider,
      mostPerHour,
    ],
  );
  return rows[0];
}

export async function loadOrder(db: Database, id: string): Promise<Order | undefined> {
  const { rows } = await db.pool.query<Order>(`select ${COLUMNS} from payment_orders o where o.id = $1`, [
    id,
  ]);
  return rows[0];
}

export async function saveCheckout(db: Database, orderId: string, checkoutId: string): Promise<void> {
  await db.pool.query("update payment_orders set checkout_id = $2 where id = $1", [orderId, checkoutId]);
}

/** Only if still open: a payment that was reported first stands. */
export async function saveExpired(db: Database, orderId: string): Promise<void> {
  await db.pool.query("update payment_orders set status = 'expired' where id = $1 and status = 'open'", [
    orderId,
  ]);
}

/**
 * Plan orders whose checkout may still be open, or paid but not reported yet; newest first. Stripe keeps a checkout
 * open for one day and retries the report of its payment for three.
 */
export async function loadOpenPlanOrders(db: Database, orgId: string, limit: number): Promise<Order[]> {
  const { rows } = await db.pool.query<Order>(
    `select ${COLUMNS} from payment_orders o
     where o.org_id = $1 and o.kind = 'plan' and o.status = 'open'
       and o.created_at > bursar_now() - interval '4 days' order by o.id desc limit $2`,
    [orgId, limit],
  );
  return rows;
}

/**
 * True if another plan was ordered after this one and may be paid. If two orders both ask after saving their checkouts,
 * exactly one is the last. Orders dated in the future are ignored: they were written before the clock was set back.
 */
export async function isOvertaken(db: Database, orderId: string): Promise<boolean> {
  const { rows } = await db.pool.query<{ is_overtaken: boolean }>(
    `select exists (select 1 from payment_orders x where x.org_id = o.org_id and x.kind = 'plan' and x.status = 'open'
       and (x.created_at, x.id) > (o.created_at, o.id) and x.created_at <= bursar_now()) as is_overtaken
     from payment_orders o where o.id = $1`,
    [orderId],
  );
  return rows[0]?.is_overtaken ?? false;
}

/**
 * Checkouts that could still be paid for an inactive organization; Stripe closes them by itself after a day. In random
 * order, so that those that keep failing do not starve the others.
 */
export async function loadOpenByInactive(
  db: Database,
  orgId: string | null,
  limit: number,
): Promise<{ id: string; checkoutId: string }[]> {
  const { rows } = await db.pool.query<{ id: string; checkoutId: string }>(
    `select p.id, p.checkout_id as "checkoutId" from payment_orders p join organization o on o.id = p.org_id and not o.active
     where p.status = 'open' and p.checkout_id is not null and p.created_at > bursar_now() - interval '25 hours'
       and ($1::uuid is null or p.org_id = $1) order by random() limit $2`,
    [orgId, limit],
  );
  return rows;
}

/** Newest first, each with the state of its payments. */
export async function loadOrderRecords(
  db: Database,
  query: { orgId: string; id?: string; limit: number },
): Promise<OrderRecord[]> {
  const { rows } = await db.pool.query<OrderRecord>(
    `select ${COLUMNS}, p.payments::integer as payments, p.refunded_cents::float8 as "refundedCents",
       p.disputed_cents::float8 as "disputedCents"
     from (select * from payment_orders x where x.org_id = $1 and ($2::uuid is null or x.id = $2)
       order by x.id desc limit $3) o,
     lateral (
       select count(distinct y.id) as payments,
         coalesce(sum(r.amount_cents) filter (where r.kind = 'refund'), 0) as refunded_cents,
         coalesce(sum(r.amount_cents) filter (where r.kind = 'dispute'), 0) as disputed_cents
       from payments y left join payment_reversals r on r.charge_reference = y.charge_reference
       where y.order_id = o.id) p
     order by o.id desc`,
    [query.orgId, query.id ?? null, query.limit],
  );
  return rows;
}
