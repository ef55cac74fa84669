import type { Database } from "../db/index.ts";

/** Class of all advisory locks of the schedule; the second number names the task. */
const LOCK_CLASS = 7202;

/** Runs the work if no other node is at it; null where one is. The lock goes with the connection. */
export async function whileAlone<T>(db: Database, lockId: number, work: () => Promise<T>): Promise<T | null> {
  const client = await db.pool.connect();
  let broken = false;
  try {
    const result = await client.query<{ got: boolean }>("select pg_try_advisory_lock($1, $2) as got", [
      LOCK_CLASS,
      lockId,
    ]);
    if (!result.rows[0]?.got) return null;
    try {
      return await work();
    } finally {
      // A connection that cannot give the lock back must not return to the pool with it.
      await client.query("select pg_advisory_unlock($1, $2)", [LOCK_CLASS, lockId]).catch(() => {
        broken = true;
      });
    }
  } finally {
    client.release(broken);
  }
}
