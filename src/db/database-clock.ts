import { present } from "../kit/index.ts";
import type { Database } from "./database.ts";

/** The clock that credits and keys go by. */
export async function loadDatabaseNow(db: Database): Promise<Date> {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  return present(rows[0], "the database's time").now;
}

/** How far it is ahead of this machine's. */
export async function loadClockSkewMs(db: Database): Promise<number> {
  const askedMs = Date.now();
  const databaseMs = (await loadDatabaseNow(db)).getTime();
  // Half of the round trip is the best guess at when the answer was true.
  return Math.round(databaseMs - (askedMs + Date.now()) / 2);
}
