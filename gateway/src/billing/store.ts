import type { Database } from "../db/index.ts";
import type { Credits } from "../kit/index.ts";
import type { Period } from "./calendar.ts";

/** A plan whose next period is due. `readAt` is the database's time when it was read. */
export type DueSubscription = {
  readonly orgId: string;
  readonly plan: string;
  readonly startedAt: Date;
  readonly anchor: Date;
  readonly renewsAt: Date;
  readonly readAt: Date;
};

const COLUMNS = `s.org_id as "orgId", s.plan, s.started_at as "startedAt", s.anchor, s.renews_at as "renewsAt"`;

/** `bursar_now()` is in a subselect so that it is evaluated once and the index can be used. */
const DUE = `select ${COLUMNS}, bursar_now() as "readAt"
  from subscriptions s join organization o on o.id = s.org_id and o.active
  where s.source = 'schedule' and s.renews_at <= (select bursar_now())`;

/** Due subscriptions of active organizations, longest due first, starting after `after`. */
export async function loadDue(
  db: Database,
  after: DueSubscription | null,
  limit: number,
): Promise<DueSubscription[]> {
  const result = await db.pool.query<DueSubscription>(
    `${DUE} and ($1::timestamptz is null or (s.renews_at, s.org_id) > ($1, $2::uuid))
     order by s.renews_at, s.org_id limit $3`,
    [after?.renewsAt ?? null, after?.orgId ?? null, limit],
  );
  return result.rows;
}

/** Undefined if nothing is due or the organization is inactive. */
export async function loadDueOf(db: Database, orgId: string): Promise<DueSubscription | undefined> {
  const result = await db.pool.query<DueSubscription>(`${DUE} and s.org_id = $1`, [orgId]);
  return result.rows[0];
}

/** Moves the date only forward, and only if the plan is still the one that was read: a changed plan stays due. */
export async function saveRenewsAt(
  db: Database,
  subscription: DueSubscription,
  renewsAt: Date,
): Promise<void> {
  await db.pool.query(
    `update subscriptions set renews_at = $3
     where org_id = $1 and started_at = $2 and source = 'schedule' and renews_at < $3`,
    [subscription.orgId, subscription.startedAt, renewsAt],
  );
}

export type NextPeriod = Period & { readonly credits: Credits };

/** A plan whose next period begins soon, with what has been recorded about that period so far. */
export type ComingSubscription = Omit<DueSubscription, "readAt"> & { readonly next: NextPeriod | null };

/** The three say the next period, or are all null. */
type ComingRow = Omit<DueSubscription, "readAt"> & { [Field in keyof NextPeriod]: NextPeriod[Field] | null };

/** Subscriptions of active organizations, soonest first, starting after `page.after`. */
export async function loadComing(
  db: Database,
  page: { aheadMs: number; after: ComingSubscription | null; limit: number },
): Promise<ComingSubscription[]> {
  const result = await db.pool.query<ComingRow>(
    `select ${COLUMNS}, s.next_start as "startsAt", s.next_end as "endsAt", s.next_credits::float8 as credits
     from subscriptions s join organization o on o.id = s.org_id and o.active
     where s.source = 'schedule' and s.renews_at > (select bursar_now())
       and s.renews_at <= (select bursar_now()) + $1 * interval '1 ms'
       and ($2::timestamptz is null or (s.renews_at, s.org_id) > ($2, $3::uuid))
     order by s.renews_at, s.org_id limit $4`,
    [page.aheadMs, page.after?.renewsAt ?? null, page.after?.orgId ?? null, page.limit],
  );
  return result.rows.map(({ startsAt, endsAt, credits, ...coming }) => ({
    ...coming,
    next: startsAt && endsAt && credits ? { startsAt, endsAt, credits } : null,
  }));
}

/** Does nothing if the plan has changed or was renewed since it was read. */
export async function saveNextPeriod(
  db: Database,
  subscription: ComingSubscription,
  next: NextPeriod | null,
): Promise<void> {
  await db.pool.query(
    `update subscriptions set next_start = $4, next_end = $5, next_credits = $6
     where org_id = $1 and started_at = $2 and renews_at = $3 and source = 'schedule'`,
    [
      subscription.orgId,
      subscription.startedAt,
      subscription.renewsAt,
      next?.startsAt ?? null,
      next?.endsAt ?? null,
      next?.credits ?? null,
    ],
  );
}

/** Sets the length of the first period, unless the plan has already granted something. */
export async function saveFirstPeriod(db: Database, orgId: string, lengthMs: number): Promise<void> {
  await db.pool.query(
    `update subscriptions set anchor = started_at + $2 * interval '1 ms'
     where org_id = $1 and source = 'schedule' and renews_at = started_at`,
    [orgId, lengthMs],
  );
}

/** When a balance counts as low, and how long before the end of a month its unused credits are mentioned. */
export type NoticeThresholds = {
  readonly lowBalancePercent: number;
  readonly lowBalanceCredits: number;
  readonly expiryDays: number;
};

/** Writes the events of balances that ran low and of credits that expire soon, each once. */
export async function saveBalanceEvents(db: Database, thresholds: NoticeThresholds): Promise<void> {
  const { lowBalanceCredits, lowBalancePercent, expiryDays } = thresholds;
  await db.pool.query("select tell_balances($1, $2, $3)", [lowBalanceCredits, lowBalancePercent, expiryDays]);
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
