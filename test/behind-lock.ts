import type { PoolClient } from "pg";
import type { Database } from "../gateway/src/db/index.ts";

/**
 * For tests of what happens to work that must wait for a lock. Takes the lock of `statement`, starts `work`, and
 * commits once `waiters` sessions wait for a lock, or once the work is over: work that should have waited and did not
 * shows in its result.
 */
export async function behindLock<T>(input: {
  db: Database;
  statement: string;
  values: unknown[];
  work: () => Promise<T>;
  waiters?: number;
  /** Runs in the transaction that has the lock, just before it commits. */
  meanwhile?: (holder: PoolClient) => Promise<unknown>;
}): Promise<T> {
  const { db, statement, values, work, waiters = 1, meanwhile } = input;
  const holder = await db.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(statement, values);
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while (!isOver && (await db.pool.query(waiting)).rows.length < waiters) await Bun.sleep(2);
    await meanwhile?.(holder);
    await holder.query("commit");
    return await working;
  } finally {
    holder.release();
  }
}

export const HAVE_ACCOUNT = "select 1 from accounts where org_id = $1 for update";
