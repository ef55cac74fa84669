import type { Database } from "../db/index.ts";
import { type Credits, creditsFromSql } from "../kit/index.ts";
import type { Period } from "./calendar.ts";

/** A plan whose next period is due, with the database's time of the reading. */
export type DueSubscription = {
  readonly orgId: string;
  readonly plan: string;
  readonly startedAt: Date;
  readonly anchor: Date;
  readonly renewsAt: Date;
  readonly readAt: Date;
};

type DueRow = {
  org_id: string;
  plan: string;
  started_at: Date;
  anchor: Date;
  renews_at: Date;
  read_at: Date;
};

/** The time is asked once: asked of every row, it could not be looked up in an index. */
const DUE = `select s.org_id, s.plan, s.started_at, s.anchor, s.renews_at, bursar_now() as read_at
  from subscriptions s join organization o on o.id = s.org_id and o.active
  where s.source = 'schedule' and s.renews_at <= (select bursar_now())`;

function dueFromRow(row: DueRow): DueSubscription {
  return {
    orgId: row.org_id,
    plan: row.plan,
    startedAt: row.started_at,
    anchor: row.anchor,
    renewsAt: row.renews_at,
    readAt: row.read_at,
  };
}

/** Due ones of active organizations, longest due first, after the given one. */
export async function loadDue(
  db: Database,
  after: DueSubscription | null,
  limit: number,
): Promise<DueSubscription[]> {
  const result = await db.pool.query<DueRow>(
    `${DUE} and ($1::timestamptz is null or (s.renews_at, s.org_id) > ($1, $2::uuid))
     order by s.renews_at, s.org_id limit $3`,
    [after?.renewsAt ?? null, after?.orgId ?? null, limit],
  );
  return result.rows.map(dueFromRow);
}

/** Undefined where nothing is due, or the organization is inactive. */
export async function loadDueOf(db: Database, orgId: string): Promise<DueSubscription | undefined> {
  const result = await db.pool.query<DueRow>(`${DUE} and s.org_id = $1`, [orgId]);
  return result.rows[0] && dueFromRow(result.rows[0]);
}

/** Only ever later, and only for the plan that was read: a plan that changed meanwhile stays due. */
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

/** A plan whose next period comes soon, with what was told of it so far. */
export type ComingSubscription = Omit<DueSubscription, "readAt"> & { readonly next: NextPeriod | null };

type ComingRow = DueRow & { next_start: Date | null; next_end: Date | null; next_credits: string | null };

/** Of active organizations, the soonest first, after the given one. */
export async function loadComing(
  db: Database,
  page: { aheadMs: number; after: ComingSubscription | null; limit: number },
): Promise<ComingSubscription[]> {
  const result = await db.pool.query<ComingRow>(
    `select s.org_id, s.plan, s.started_at, s.anchor, s.renews_at, bursar_now() as read_at,
       s.next_start, s.next_end, s.next_credits
     from subscriptions s join organization o on o.id = s.org_id and o.active
     where s.source = 'schedule' and s.renews_at > (select bursar_now())
       and s.renews_at <= (select bursar_now()) + $1 * interval '1 ms'
       and ($2::timestamptz is null or (s.renews_at, s.org_id) > ($2, $3::uuid))
     order by s.renews_at, s.org_id limit $4`,
    [page.aheadMs, page.after?.renewsAt ?? null, page.after?.orgId ?? null, page.limit],
  );
  return result.rows.map((row) => ({ ...dueFromRow(row), next: nextFromRow(row) }));
}

function nextFromRow({ next_start, next_end, next_credits }: ComingRow): NextPeriod | null {
  if (next_start === null || next_end === null || next_credits === null) return null;
  return { startsAt: next_start, endsAt: next_end, credits: creditsFromSql(next_credits) };
}

/** Only for what was read: of a plan that changed or was renewed meanwhile nothing is told. */
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

/** Makes the first period this long, as long as nothing of the plan was granted yet. */
export async function saveFirstPeriod(db: Database, orgId: string, lengthMs: number): Promise<void> {
  await db.pool.query(
    `update subscriptions set anchor = started_at + $2 * interval '1 ms'
     where org_id = $1 and source = 'schedule' and renews_at = started_at`,
    [orgId, lengthMs],
  );
}
