import type { Database } from "../gateway/src/db/index.ts";

/** Each table with the columns to sort by. */
const TABLES = {
  accounts: "org_id",
  holds: "request_id",
  entries: "seq",
  requests: "request_id",
  rollups: "day, key_id, member_id, model, endpoint",
  key_windows: "key_id",
  idempotency: "endpoint, key",
} as const;

/**
 * Every row that the ledger has written for an organization, without what differs between organizations: id, hashes,
 * references. For tests that two ways lead to the same rows.
 */
export async function ledgerRows(db: Database, orgId: string): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const found = await db.pool.query<{ row: unknown }>(
      `select to_jsonb(t) - 'org_id' - 'hash' - 'entry_hash' - 'reference' as row from ${table} t where org_id = $1 order by ${order}`,
      [orgId],
    );
    rows[table] = found.rows.map(({ row }) => row);
  }
  return rows;
}
