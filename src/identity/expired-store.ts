import type { Database } from "../db/index.ts";

/** Sessions end by the clock of the node that made them: a day is beyond any difference. */
const EXPIRED = `"expiresAt" < bursar_now() - interval '1 day'`;

/** What let somebody in and does no more, with the addresses in it. */
export async function forgetExpired(db: Database): Promise<void> {
  for (const table of ["session", "invitation", "verification"]) {
    await db.pool.query(`delete from ${table} where ${EXPIRED}`);
  }
}
