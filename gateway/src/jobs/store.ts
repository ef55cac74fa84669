import type pg from "pg";
import type { Database } from "../db/index.ts";

/** Class of all advisory locks of the schedule; the second number is the task. */
const LOCK_CLASS = 7202;

/** `silenceMs`: how long a lock survives a silent holder. `heardEveryMs`: how often a holder sends a heartbeat. */
type LockPace = { readonly silenceMs: number; readonly heardEveryMs: number };

/** The same as for a lease: a holder that is silent for that long counts as dead. */
const PACE: LockPace = { silenceMs: 15_000, heardEveryMs: 5_000 };

const TAKE = `select set_config('idle_in_transaction_session_timeout', $3, true),
  pg_try_advisory_xact_lock($1, $2) as got`;

/**
 * Runs the work unless another node is doing so; null in that case. The lock belongs to a transaction that the server
 * ends if it hears nothing from the holder: otherwise a node that is frozen or cut off would block a task for hours. If
 * the node was merely slow, two may run the task for a moment.
 */
export async function whileAlone<T>(
  db: Database,
  lockId: number,
  work: () => Promise<T>,
  pace: LockPace = PACE,
): Promise<T | null> {
  const client = await db.pool.connect();
  // True until the lock is known to be released. The connection must not return to the pool before that, not even if
  // only the reply came too late.
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
  // A lost connection is noticed at the end; the work uses other connections.
  const timer = setInterval(() => client.query("select 1").catch(() => {}), pace.heardEveryMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
