import type { Database, SeenTime } from "../../db/index.ts";
import { assert, ZERO_CREDITS } from "../../kit/index.ts";
import { LEASE_LANE } from "../lanes.ts";
import type { CallIdentity, Settlement } from "../settlement.ts";
import type { MarkedNode, NodeMarks } from "./node-marks.ts";

export async function acquireLease(
  db: Database,
  process: { id: string; host: string; pid: number; marks: NodeMarks | null },
): Promise<number> {
  const result = await db.pool.query<{ epoch: number }>("select lease_acquire($1, $2, $3) as epoch", [
    process.id,
    process.host,
    process.pid,
  ]);
  const row = result.rows[0];
  assert(row, "a lease has an epoch");
  if (process.marks !== null) {
    const { secretMark, objectsPlace, catalogMark } = process.marks;
    await db.pool.query(
      "update processes set secret_mark = $2, objects_place = $3, catalog_mark = $4 where process_id = $1",
      [process.id, secretMark, objectsPlace, catalogMark],
    );
  }
  return row.epoch;
}

const SEEN_TIME = `extract(epoch from bursar_now() - clock_offset())::float8 * 1000 as "nowMs",
  extract(epoch from c.accepted_at)::float8 * 1000 as "acceptedMs", c.ahead_ms::float8 as "acceptedAheadMs",
  (select extract(epoch from max(p.believed_at))::float8 * 1000 from processes p) as "believedMs",
  not exists (select from processes p where p.ended_at is null and p.expires_at > bursar_now()
    and p.believed_at is not null) as "isUnused"
  from (select) one left join clock_acceptances c on true`;

/** To be called before anything is done at the database's time. */
export async function lookAtTime(db: Database): Promise<void> {
  const { rows } = await db.pool.query<SeenTime>(`select ${SEEN_TIME}`);
  for (const row of rows) db.time.observe(row);
}

/** The processes that are serving and have published their marks, without the process `except`. */
export async function loadMarkedNodes(db: Database, except: string | null): Promise<MarkedNode[]> {
  const result = await db.pool.query<MarkedNode>(
    `select distinct host, secret_mark as "secretMark", objects_place as "objectsPlace",
       catalog_mark as "catalogMark" from processes
     where ended_at is null and expires_at > bursar_now() and secret_mark is not null
       and process_id is distinct from $1::uuid
     order by host, secret_mark, objects_place, catalog_mark`,
    [except],
  );
  return result.rows;
}

/**
 * `isOurs`: the epoch has not been ended. `hadRunOut`: the lease had expired by the database's clock, which is looked at
 * on this occasion.
 */
export async function renewLease(
  db: Database,
  processId: string,
  epoch: number,
): Promise<{ isOurs: boolean; hadRunOut: boolean }> {
  const [row] = await db.lane(LEASE_LANE).query<SeenTime & { renewed: boolean; had_run_out: boolean | null }>(
    `with before as materialized (
       select expires_at < bursar_now() as had_run_out from processes where process_id = $1::uuid)
     select lease_renew(expecting($3, $1::uuid::text)::uuid, $2) as renewed,
       (select had_run_out from before) as had_run_out, ${SEEN_TIME}`,
    [processId, epoch, db.time.text()],
  );
  if (row !== undefined) db.time.observe(row);
  return { isOurs: row?.renewed === true, hadRunOut: row?.had_run_out === true };
}

export async function leaveLease(db: Database, processId: string, epoch: number): Promise<void> {
  await db.pool.query("select lease_leave($1, $2)", [processId, epoch]);
}

/**
 * Returns how many; null if the database's clock has jumped or the calling process's own lease has expired too, which
 * means the same.
 */
export async function endExpiredLeases(db: Database, processId: string): Promise<number | null> {
  const result = await db.pool.query<{ ended: number | null }>(
    "select case when time_is_believed($2) then lease_end_expired($1) end as ended",
    [processId, db.time.textAfterPause()],
  );
  return result.rows[0]?.ended ?? null;
}

/** A page of at most `limit` rows that skips these organizations. */
type DuePage = { readonly limit: number; readonly except: readonly string[] };

/**
 * Holds of calls whose process is gone or whose hard deadline has passed, and of jobs that do not run, as the
 * settlements that release them.
 */
export async function loadOrphans(db: Database, { limit, except }: DuePage): Promise<Settlement[]> {
  // The function's own limit would count the organizations that are skipped.
  const result = await db.pool.query<CallIdentity>(
    `select org_id as "orgId", request_id as "requestId", key_id as "keyId", member_id as "memberUserId", endpoint, model
     from orphaned_holds(null) where org_id <> all($2::uuid[]) and (select time_is_believed($3)) limit $1`,
    [limit, except, db.time.textAfterPause()],
  );
  return result.rows.map((call) => ({
    ...call,
    cost: ZERO_CREDITS,
    status: "failed",
    inputTokens: 0,
    outputTokens: 0,
    tokensSaved: 0,
    latencyMs: null,
    errorCode: "internal_error",
    reason: "internal",
    priceRuleId: null,
    measured: null,
    target: null,
    reply: null,
  }));
}

/**
 * Organizations whose period has ended and whose account has not been used since. Unordered, by a scan of the table: an
 * index on rows that every call updates would cost each call more.
 */
export async function loadDueAccounts(db: Database, { limit, except }: DuePage): Promise<string[]> {
  const result = await db.pool.query<{ org_id: string }>(
    `select org_id from accounts
     where period_end <= (select bursar_now()) and (select time_is_believed($3)) and org_id <> all($2::uuid[])
     limit $1`,
    [limit, except, db.time.text()],
  );
  return result.rows.map((row) => row.org_id);
}

/** `bursar_now()` is in a subselect so that it is evaluated once and the index can be used. */
export async function forgetReplies(db: Database, limit: number): Promise<number> {
  const result = await db.pool.query(
    `delete from idempotency where (org_id, endpoint, key, key_id) in (
       select org_id, endpoint, key, key_id from idempotency
       where expires_at < (select bursar_now()) and state = 'done' and (select time_is_believed($2))
       order by expires_at limit $1)`,
    [limit, db.time.text()],
  );
  return result.rowCount ?? 0;
}
