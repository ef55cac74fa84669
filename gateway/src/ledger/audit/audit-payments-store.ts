import type { Database } from "../../db/index.ts";
import type { OwnFault } from "./audit-fault.ts";

/**
 * Checks payments against their orders, grants and reversals; the open period against its grants; and the number of a
 * key's running calls against its holds.
 *
 * Runs in one snapshot and compares only what one transaction writes together or what can only grow, so that work in
 * progress is never reported: a pack is granted before its payment is recorded, and a refund is recorded before its
 * credits are taken. Stripe retries a failed delivery for three days, so a pack that is older than a week and has no
 * payment is a fault.
 */
export async function loadPaymentFaults(db: Database, orgIds: readonly string[]): Promise<OwnFault[]> {
  const query = { name: "audit_payments", text: PAYMENTS, values: [orgIds] };
  const { rows } = await db.pool.query<OwnFault>(query);
  return rows;
}

const PAYMENTS = `
  with paid as materialized (
    select * from payments where org_id = any($1::uuid[])
  ), reversed as (
    select p.org_id, p.id, p.reversed_credits, trunc(p.credits * least(coalesce(sum(r.amount_cents), 0), p.amount_cents)
        / p.amount_cents) as refunded
    from paid p left join payment_reversals r on r.charge_reference = p.charge_reference
    -- What a dispute holds back goes up and down, each time a moment before the credits follow.
    group by 1, 2, 3, p.credits, p.amount_cents having bool_and(r.kind is distinct from 'dispute')
  ), counted as (
    select org_id, key_id, count(*) as holds from holds where org_id = any($1::uuid[]) and key_counted group by 1, 2
  ), windows as (
    select org_id, key_id, calls_in_flight from key_windows where org_id = any($1::uuid[])
  )
  select p.org_id as "orgId", 'payments' as "table", p.id as "row",
    case when g.id is null then 'a payment without its grant' else 'the payment and its grant differ' end as what
  from paid p left join grants g on g.org_id = p.org_id
    and g.reference = case p.pool when 'anytime' then 'order:' || p.order_id else p.id end
  where p.credits > 0 and (g.pool, g.amount, g.period_start) is distinct from (p.pool, p.credits, p.period_start)
  union all
  select p.org_id, 'payments', p.id,
    case when o.id is null then 'a payment without its order' else 'the payment and its order differ' end
  from paid p left join payment_orders o on o.id = p.order_id
  where (o.org_id, o.amount_cents, case o.kind when 'pack' then 'anytime' else 'subscription' end)
      is distinct from (p.org_id, p.amount_cents, p.pool)
    or (p.credits <> o.credits and (p.credits <> 0 or p.pool = 'anytime'))
  union all
  select o.org_id, 'payments', o.id::text, 'a paid order without its payment'
  from payment_orders o where o.org_id = any($1::uuid[]) and o.status = 'paid'
    and not exists (select 1 from payments p where p.order_id = o.id)
  union all
  select g.org_id, 'grants', coalesce(g.reference, g.id::text),
    case when o.id is null then 'a pack without its order' else 'a pack without its payment' end
  from grants g left join payment_orders o
    on o.org_id = any($1::uuid[]) and o.org_id = g.org_id and 'order:' || o.id = g.reference
  where g.org_id = any($1::uuid[]) and g.kind = 'pack'
    and not exists (select 1 from paid p where p.org_id = g.org_id and 'order:' || p.order_id = g.reference)
    and (o.id is null or g.created_at < bursar_now() - interval '7 days')
  union all
  select g.org_id, 'grants', g.reference, 'a paid month without its payment'
  from grants g where g.org_id = any($1::uuid[]) and g.kind = 'plan' and g.reference is not null
    and not exists (select 1 from payments p where p.id = g.reference and p.org_id = g.org_id)
  union all
  select org_id, 'payments', id, reversed_credits || ' credits were taken back, its refunds make it ' || refunded
  from reversed where reversed_credits > refunded
  union all
  select a.org_id, 'accounts', 'account', 'the open period is that of no grant'
  from accounts a where a.org_id = any($1::uuid[]) and a.period_start is not null
    and not exists (select 1 from grants g where g.org_id = a.org_id and g.pool = 'subscription'
      and g.period_start = a.period_start and g.expires_at = a.period_end)
  union all
  select coalesce(w.org_id, c.org_id), 'key_windows', coalesce(w.key_id, c.key_id)::text,
    'calls_in_flight is ' || coalesce(w.calls_in_flight, 0) || ', its holds are ' || coalesce(c.holds, 0)
  from windows w full join counted c on c.org_id = w.org_id and c.key_id = w.key_id
  where coalesce(w.calls_in_flight, 0) <> coalesce(c.holds, 0)
  order by 1, 2, 3 limit 1000`;
