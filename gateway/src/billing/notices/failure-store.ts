import type { Database } from "../../db/index.ts";

/** A failed payment that a process has claimed in order to send the notice. */
type TakenFailure = {
  readonly orgId: string;
  readonly name: string;
  /** End of the claim, with microseconds; also identifies it. */
  readonly until: string;
};

const UNSENT = "s.state = 'past_due' and s.tell_failure_at <= bursar_now()";

/** Only active organizations: the others are not asked to pay. */
export async function loadUnsentFailures(db: Database, limit: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ org_id: string }>(
    `select s.org_id from paid_subscriptions s join organization o on o.id = s.org_id and o.active
     where ${UNSENT} order by s.tell_failure_at limit $1`,
    [limit],
  );
  return rows.map((row) => row.org_id);
}

/**
 * Claims a failed payment. Undefined if the notice was sent, is being sent, or the payment was made. A claim lasts an
 * hour: by then its owner must have died, since the email queue drops a notice that has waited for half an hour.
 */
export async function takeFailure(db: Database, orgId: string): Promise<TakenFailure | undefined> {
  const { rows } = await db.pool.query<{ name: string; until: string }>(
    `update paid_subscriptions s set tell_failure_at = bursar_now() + interval '1 hour'
     from organization o where s.org_id = $1 and o.id = s.org_id and ${UNSENT}
     returning o.name, s.tell_failure_at::text as until`,
    [orgId],
  );
  return rows[0] && { orgId, ...rows[0] };
}

/**
 * Releases the claim; a notice that reached nobody is left for the next run. Does nothing if the payment failed again
 * meanwhile.
 */
export async function leaveFailure(db: Database, taken: TakenFailure, isSent: boolean): Promise<void> {
  await db.pool.query(
    `update paid_subscriptions set tell_failure_at = case when not $3 then bursar_now() end
     where org_id = $1 and tell_failure_at = $2::timestamptz`,
    [taken.orgId, taken.until, isSent],
  );
}
