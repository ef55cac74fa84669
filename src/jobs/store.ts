import type pg from "pg";
import type { Database } from "../db/index.ts";

/** Class of all advisory locks of the schedule; the second number names the task. */
const LOCK_CLASS = 7202;

/** How long a lock outlives a holder that fell silent, and how often a holder is heard. */
type LockPace = { readonly silenceMs: number; readonly heardEveryMs: number };

/** As long as a lease, and as often heard: who is silent for that long counts as dead. */
const PACE: LockPace = { silenceMs: 15_000, heardEveryMs: 5_000 };

const TAKE = `select set_config('idle_in_transaction_session_timeout', $3, true),
  pg_try_advisory_xact_lock($1, $2) as got`;

/**
 * Runs the work if no other node is at it; null where one is. The lock is a transaction's, which the server ends when it
 * hears nothing of its holder: a node that is frozen or cut off would keep a task from all others for hours. Where that
 * happens to a node that is only slow, two are at it for a moment.
 */
export async function whileAlone<T>(
  db: Database,
  lockId: number,
  work: () => Promise<T>,
  pace: LockPace = PACE,
): Promise<T | null> {
  const client = await db.pool.connect();
  // Until the lock is known to be free: it must never return to the pool, not even where its answer came too late.
  let isInDoubt = true;
  try {
    await client.query("begin");
    const result = await client.query<{ got: boolean }>(TAKE, [LOCK_CLASS, lockId, `${pace.silenceMs}ms`]);
    try {
      return result.rows[0]?.got ? await whileHeard(client, work, pace) : null;
    } finally {
      isInDoubt = await client.query("rollback").then(
        () => false,
        () => true,
      );
    }
  } finally {
    client.release(isInDoubt);
  }
}

async function whileHeard<T>(client: pg.PoolClient, work: () => Promise<T>, pace: LockPace): Promise<T> {
  // A connection that was lost is noticed at the end; the work uses others.
  const timer = setInterval(() => client.query("select 1").catch(() => {}), pace.heardEveryMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
