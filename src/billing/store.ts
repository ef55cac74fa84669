import type { Database } from "../db/index.ts";

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

const DUE = `select s.org_id, s.plan, s.started_at, s.anchor, s.renews_at, bursar_now() as read_at
  from subscriptions s join organization o on o.id = s.org_id and o.active
  where s.source = 'schedule' and s.renews_at <= bursar_now()`;

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

/** Makes the first period this long, as long as nothing of the plan was granted yet. */
export async function saveFirstPeriod(db: Database, orgId: string, lengthMs: number): Promise<void> {
  await db.pool.query(
    `update subscriptions set anchor = started_at + $2 * interval '1 ms'
     where org_id = $1 and source = 'schedule' and renews_at = started_at`,
    [orgId, lengthMs],
  );
}
