import type { Database } from "../db/index.ts";
import type { Credits } from "../kit/index.ts";

/** A plan on the terms of its order: every month is charged and granted on these. */
type PlanTerms = {
  readonly plan: string;
  readonly amountCents: number;
  readonly monthlyCredits: Credits;
};

/** The subscription at the payment provider that pays an organization's plan. */
export type PaidSubscription = PlanTerms & {
  readonly id: string;
  readonly customerId: string;
  readonly orderId: string;
  /** The plan that the next invoice is for, if another was chosen. */
  readonly next: PlanTerms | null;
  readonly state: "active" | "past_due";
  readonly endsAt: Date | null;
  readonly payUrl: string | null;
};

export async function loadPaidSubscription(
  db: Database,
  orgId: string,
): Promise<PaidSubscription | undefined> {
  const { rows } = await db.pool.query<PaidSubscription>(
    `select s.id, s.customer_id as "customerId", s.order_id as "orderId", o.item as plan,
       o.amount_cents::float8 as "amountCents", o.credits::float8 as "monthlyCredits",
       case when n.id is not null then json_build_object('plan', n.item, 'amountCents', n.amount_cents,
         'monthlyCredits', n.credits) end as next, s.state, s.ends_at as "endsAt", s.pay_url as "payUrl"
     from paid_subscriptions s join payment_orders o on o.id = s.order_id
     left join payment_orders n on n.id = s.next_order_id where s.org_id = $1`,
    [orgId],
  );
  return rows[0];
}

/** The current order and the one that will follow it; empty if the subscription pays no plan. */
export async function loadOrderIds(db: Database, subscriptionId: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ order_id: string; next_order_id: string | null }>(
    "select order_id, next_order_id from paid_subscriptions where id = $1",
    [subscriptionId],
  );
  return rows.flatMap((row) => [row.order_id, row.next_order_id]).filter((id) => id !== null);
}

/** False if it pays no plan. One that falls behind is an event: owners and admins are told. */
export async function saveSubscriptionState(
  db: Database,
  subscription: {
    id: string;
    state: "active" | "past_due";
    endsAt: Date | null;
    payUrl: string | null;
  },
): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    `update paid_subscriptions set state = $2, ends_at = $3,
       pay_url = case when $2 = 'past_due' then coalesce($4, pay_url) end where id = $1`,
    [subscription.id, subscription.state, subscription.endsAt, subscription.payUrl],
  );
  return rowCount === 1;
}

export async function saveNextOrder(
  db: Database,
  subscriptionId: string,
  orderId: string | null,
): Promise<void> {
  await db.pool.query(
    `with expired as (
       update payment_orders set status = 'expired' where status = 'open' and id = (
         select next_order_id from paid_subscriptions where id = $1 and next_order_id is distinct from $2::uuid))
     update paid_subscriptions set next_order_id = $2 where id = $1`,
    [subscriptionId, orderId],
  );
}

/** Returns the organization that fell back to the default plan; null if the subscription belonged to none. */
export async function saveEndedSubscription(
  db: Database,
  subscriptionId: string,
  defaultPlan: string,
): Promise<string | null> {
  const { rows } = await db.pool.query<{ org_id: string | null }>(
    "select end_paid_subscription($1, $2) as org_id",
    [subscriptionId, defaultPlan],
  );
  return rows[0]?.org_id ?? null;
}

/** Replaced subscriptions that still run at the provider. */
export async function loadReplaced(db: Database, orgId: string | null, limit: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `select id from replaced_subscriptions
     where not is_ended and ($1::uuid is null or org_id = $1) order by id limit $2`,
    [orgId, limit],
  );
  return rows.map(({ id }) => id);
}

export async function saveReplacedEnded(db: Database, subscriptionId: string): Promise<void> {
  await db.pool.query("update replaced_subscriptions set is_ended = true where id = $1", [subscriptionId]);
}

/**
 * Subscriptions that could still collect a month. In random order, so that those that keep failing do not starve the
 * others.
 */
export async function loadPaidByInactive(
  db: Database,
  orgId: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `select s.id from paid_subscriptions s join organization o on o.id = s.org_id and not o.active
     where (s.ends_at is null or s.state = 'past_due') and ($1::uuid is null or s.org_id = $1) order by random() limit $2`,
    [orgId, limit],
  );
  return rows.map(({ id }) => id);
}

export type PlanState = { readonly source: "schedule" | "payment"; readonly renewsAt: Date };

export async function loadPlanState(db: Database, orgId: string): Promise<PlanState | undefined> {
  const { rows } = await db.pool.query<PlanState>(
    'select source, renews_at as "renewsAt" from subscriptions where org_id = $1',
    [orgId],
  );
  return rows[0];
}

/** Changes the plan without a payment. A trigger makes it due, and renewals do the rest. */
export async function savePlan(db: Database, orgId: string, plan: string): Promise<void> {
  await db.pool.query("update organization set plan = $2 where id = $1 and plan <> $2", [orgId, plan]);
}
