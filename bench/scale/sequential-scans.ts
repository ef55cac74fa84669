import type { Database } from "../../gateway/src/db/index.ts";

/** Rows of each large table that were read by sequential scans, by any statement of any process. */
export type Scans = readonly { readonly table: string; readonly scans: number; readonly rowsRead: number }[];

/** Tables that grow with calls or organizations; none of these may be read whole. */
const LARGE =
  "relname ~ '^(entries|requests|rollups|assets|grants|holds|idempotency|api_keys|organization|accounts)'";
/** Processes report their counts when idle, at most once a second. */
const HANDED_OVER_MS = 2_500;

export async function forgetScans(db: Database): Promise<void> {
  await Bun.sleep(HANDED_OVER_MS);
  await db.pool.query("select pg_stat_reset()");
}

/** Empty is good. Background work that goes through all accounts every minute shows here as well. */
export async function loadScans(db: Database): Promise<Scans> {
  await Bun.sleep(HANDED_OVER_MS);
  const { rows } = await db.pool.query<{ relname: string; seq_scan: string; seq_tup_read: string }>(
    `select relname, seq_scan, seq_tup_read from pg_stat_user_tables where ${LARGE} and seq_tup_read > 0 order by 1`,
  );
  return rows.map((row) => ({
    table: row.relname,
    scans: Number(row.seq_scan),
    rowsRead: Number(row.seq_tup_read),
  }));
}
