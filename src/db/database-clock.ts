import { present } from "../kit/index.ts";
import type { Database } from "./database.ts";

/** The database's clock, which decides about credits and keys. */
export async function loadDatabaseNow(db: Database): Promise<Date> {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  return present(rows[0], "the database's time").now;
}

/** How far the database's clock is ahead of this machine's. */
export async function loadClockSkewMs(db: Database): Promise<number> {
  const askedMs = Date.now();
  const databaseMs = (await loadDatabaseNow(db)).getTime();
  // Assumes that the reply was made halfway through the round trip.
  return Math.round(databaseMs - (askedMs + Date.now()) / 2);
}
