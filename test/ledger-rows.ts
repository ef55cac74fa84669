import type { Database } from "../src/db/index.ts";

/** By their own keys; rows of one organization are few in a test. */
const TABLES = {
  accounts: "org_id",
  holds: "request_id",
  entries: "seq",
  requests: "request_id",
  rollups: "day, key_id, member_id, model, endpoint",
  key_windows: "key_id",
  idempotency: "endpoint, key",
} as const;

/** Everything that the ledger has written down for an organization, but for what is its own: id, hashes, grants. */
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
