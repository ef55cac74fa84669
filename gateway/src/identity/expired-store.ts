import type { Database } from "../db/index.ts";

/** Sessions expire by the clock of the node that created them: a day exceeds any clock difference. */
const EXPIRED = `"expiresAt" < bursar_now() - interval '1 day'`;

/** Deletes expired credentials, and the addresses stored with them. */
export async function forgetExpired(db: Database): Promise<void> {
  for (const table of ["session", "invitation", "verification"]) {
    await db.pool.query(`delete from ${table} where ${EXPIRED}`);
  }
}
