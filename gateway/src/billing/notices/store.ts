import type { Database } from "../../db/index.ts";

export type NoticeThresholds = {
  readonly lowBalancePercent: number;
  readonly lowBalanceCredits: number;
  readonly expiryDays: number;
};

/** A notice that an organization's owners and admins should get. */
export type DueNotice = {
  readonly orgId: string;
  readonly name: string;
  readonly kind: "low_balance" | "expiry";
  readonly availableCredits: number;
  readonly expiringCredits: number;
  readonly periodEndsAt: Date | null;
  /** When the last low-balance notice was sent, with microseconds. */
  readonly lowToldAt: string | null;
};

/** Accounts have no index on columns that change often, so this scans all of them; there is one per organization. */
const STANDING = `
  select a.org_id, o.name, a.subscription_available as subscription, a.period_end, b.available, b.granted, b.is_low,
    coalesce(n.is_armed, false) as is_armed, n.low_told_at, n.expiry_told_for
  from accounts a join organization o on o.id = a.org_id and o.active
  cross join lateral balance_standing(a, $1, $2) b
  left join balance_notices n on n.org_id = a.org_id`;

/** Arms organizations that have enough credits, so that they get a notice the next time they run low. */
export async function saveArmed(db: Database, thresholds: NoticeThresholds): Promise<void> {
  await db.pool.query(
    `insert into balance_notices (org_id, is_armed)
     select org_id, true from (${STANDING}) s where not is_low and available > 0 and not is_armed
     on conflict (org_id) do update set is_armed = true`,
    [thresholds.lowBalanceCredits, thresholds.lowBalancePercent],
  );
}

/**
 * A balance has run low if an earlier run saw it sufficient, or if a grant of the last day, sufficient by itself, was
 * spent before any run saw it. Expiry is reported only if it is worth an email: at least a hundredth of the month's
 * credits.
 */
export async function loadDueNotices(
  db: Database,
  thresholds: NoticeThresholds,
  limit: number,
): Promise<DueNotice[]> {
  const { rows } = await db.pool.query<DueNotice>(
    `with s as (${STANDING})
     select org_id as "orgId", name, 'low_balance' as kind, available::float8 as "availableCredits",
       subscription::float8 as "expiringCredits", period_end as "periodEndsAt", low_told_at::text as "lowToldAt" from s
     where is_low and (is_armed or exists (
       select from grants g where g.org_id = s.org_id and g.amount >= greatest($1, s.granted * $2 / 100)
         and g.created_at > bursar_now() - interval '1 day' and g.created_at > coalesce(s.low_told_at, '-infinity')))
     union all
     select org_id, name, 'expiry', available::float8, subscription::float8, period_end, null from s
     where $3::integer > 0 and period_end > bursar_now()
       and period_end <= bursar_now() + $3::integer * interval '1 day'
       and subscription > 0 and subscription * 100 >= granted and expiry_told_for is distinct from period_end
     limit $4`,
    [thresholds.lowBalanceCredits, thresholds.lowBalancePercent, thresholds.expiryDays, limit],
  );
  return rows;
}

/**
 * Called before the email is sent, so that a crash in between never sends it twice. False if somebody else has sent the
 * notice since it was read.
 */
export async function saveSent(db: Database, notice: DueNotice): Promise<boolean> {
  const { rowCount } = await (notice.kind === "low_balance"
    ? db.pool.query(
        `insert into balance_notices as n (org_id, low_told_at) values ($1, bursar_now())
         on conflict (org_id) do update set is_armed = false, low_told_at = excluded.low_told_at
         where n.is_armed or n.low_told_at is not distinct from $2::timestamptz`,
        [notice.orgId, notice.lowToldAt],
      )
    : db.pool.query(
        `insert into balance_notices as n (org_id, expiry_told_for) values ($1, $2)
         on conflict (org_id) do update set expiry_told_for = excluded.expiry_told_for
         where n.expiry_told_for is distinct from excluded.expiry_told_for`,
        [notice.orgId, notice.periodEndsAt],
      ));
  return rowCount === 1;
}

/** The email reached nobody: the next run tries again. */
export async function saveUnsent(db: Database, notice: DueNotice): Promise<void> {
  await (notice.kind === "low_balance"
    ? db.pool.query("update balance_notices set is_armed = true where org_id = $1", [notice.orgId])
    : db.pool.query(
        "update balance_notices set expiry_told_for = null where org_id = $1 and expiry_told_for = $2",
        [notice.orgId, notice.periodEndsAt],
      ));
}

export type Administrator = { readonly name: string; readonly email: string };

/** Owners first, then by length of membership. */
export async function loadAdministrators(
  db: Database,
  orgId: string,
  limit: number,
): Promise<Administrator[]> {
  const { rows } = await db.pool.query<Administrator>(
    `select u.name, u.email from member m join "user" u on u.id = m."userId"
     where m."organizationId" = $1 and m.role in ('owner', 'admin')
     order by m.role = 'owner' desc, m."createdAt", u.id limit $2`,
    [orgId, limit],
  );
  return rows;
}
