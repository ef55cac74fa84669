import type { Database } from "../gateway/src/db/index.ts";

type RowsRead = { readonly inSequence: number; readonly byIndex: number };

/**
 * For tests that a query does not scan a table: how many of its rows `work` reads, by PostgreSQL's own count. Needs a
 * pool of one connection, because a session flushes only its own statistics.
 */
export async function rowsReadBy(
  db: Database,
  table: string,
  work: () => Promise<unknown>,
): Promise<RowsRead> {
  const before = await rowsReadSoFar(db, table);
  await work();
  const after = await rowsReadSoFar(db, table);
  return { inSequence: after.inSequence - before.inSequence, byIndex: after.byIndex - before.byIndex };
}

async function rowsReadSoFar(db: Database, table: string): Promise<RowsRead> {
  await db.pool.query("select pg_stat_force_next_flush()");
  const { rows } = await db.pool.query<{ in_sequence: string; by_index: string }>(
    "select seq_tup_read as in_sequence, idx_tup_fetch as by_index from pg_stat_user_tables where relname = $1",
    [table],
  );
  return { inSequence: Number(rows[0]?.in_sequence), byIndex: Number(rows[0]?.by_index) };
}
