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

/** False if the database's clock has jumped. */
export async function loadIsTimeBelieved(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ believed: boolean }>("select time_is_believed($1) as believed", [
    db.time.text(),
  ]);
  return rows[0]?.believed === true;
}

/** An operator's word that the database's clock is right, which running nodes read within seconds. */
export async function acceptDatabaseTime(db: Database): Promise<{ at: Date; aheadMs: number }> {
  const { rows } = await db.pool.query<{ at: Date; aheadMs: number }>(
    `insert into clock_acceptances (accepted_at, ahead_ms)
       select now, extract(epoch from now - $1::timestamptz) * 1000 from (select bursar_now() - clock_offset()) one (now)
     on conflict (is_last) do update set accepted_at = excluded.accepted_at, ahead_ms = excluded.ahead_ms
     returning accepted_at as at, ahead_ms::float8 as "aheadMs"`,
    [new Date()],
  );
  return present(rows[0], "the accepted time");
}
