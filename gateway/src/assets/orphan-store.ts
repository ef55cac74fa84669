import type { Database } from "../db/index.ts";

/** Call before the first byte is written: whatever happens next, the sweep knows this object. Safe to repeat. */
export async function saveOrphan(
  db: Database,
  orphan: { readonly objectKey: string; readonly orgId: string; readonly keepForMs: number },
): Promise<void> {
  await db.pool.query({
    name: "stray_object",
    text: `insert into stray_objects (object_key, org_id, due_at)
      values ($1, $2, bursar_now() + $3::bigint * interval '1 ms')
      on conflict (object_key) do nothing`,
    values: [orphan.objectKey, orphan.orgId, orphan.keepForMs],
  });
}

/**
 * Claims orphans that are due, so that they can no longer be published. This is committed before anything is removed:
 * deleted bytes can then never get a row. Objects that an earlier sweep left behind are claimed again.
 */
export async function claimDueOrphans(db: Database, limit: number): Promise<readonly string[]> {
  const { rows } = await db.pool.query<{ object_key: string }>(
    `update stray_objects set is_sweeping = true where object_key in (
        select object_key from stray_objects where due_at <= (select bursar_now()) and (select time_is_believed($2))
        order by due_at limit $1 for update skip locked)
      returning object_key`,
    [limit, db.time.text()],
  );
  return rows.map((row) => row.object_key);
}

/** Claims these and makes them due, so that the sweep finishes a drop that was interrupted. */
export async function claimOrphans(db: Database, objectKeys: readonly string[]): Promise<void> {
  await db.pool.query(
    "update stray_objects set is_sweeping = true, due_at = bursar_now() where object_key = any($1)",
    [objectKeys],
  );
}

/** For claimed objects whose bytes are gone. */
export async function forgetOrphans(db: Database, objectKeys: readonly string[]): Promise<void> {
  await db.pool.query("delete from stray_objects where object_key = any($1)", [objectKeys]);
}

/** A failed removal is retried later, so that one bad object never blocks the others. */
export async function postponeOrphans(
  db: Database,
  objectKeys: readonly string[],
  byMs: number,
): Promise<void> {
  await db.pool.query(
    `update stray_objects set due_at = bursar_now() + $2::bigint * interval '1 ms' where object_key = any($1)`,
    [objectKeys, byMs],
  );
}
