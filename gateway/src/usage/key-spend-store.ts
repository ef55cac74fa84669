import type { Database } from "../db/index.ts";

/** What one key used within the requested days. */
export type KeySpend = {
  readonly requests: number;
  readonly credits: number;
  readonly lastUsedAt: Date;
};

type KeySpendRow = { key_id: string; requests: string; credits: string; last_used_at: Date };

/**
 * SQL for the time of last use. A key's own timestamp is written seconds late, or never if a process dies. The rollups
 * have the time of settlement, which may be long after the key was revoked.
 */
export function lastUseOf({ settledAt, key }: { settledAt: string; key: string }): string {
  return `least(greatest(${settledAt}, ${key}.last_used_at), ${key}.revoked_at)`;
}

const KEY_SPEND = `
  select p.key_id, p.requests, p.credits, ${lastUseOf({ settledAt: "p.last_at", key: "k" })} as last_used_at
  from (
    select key_id, sum(requests) as requests, sum(credits_charged) as credits, max(last_at) as last_at
    from rollups, (select (bursar_now() at time zone 'UTC')::date as last) today
    where org_id = $1 and day between last - ($2::integer - 1) and last and key_id = any($3::uuid[])
    group by key_id) p join api_keys k on k.id = p.key_id`;

/** Contains only those of the requested keys that were used. */
export async function loadKeySpend(
  db: Database,
  query: { orgId: string; days: number; keyIds: readonly string[] },
): Promise<Map<string, KeySpend>> {
  const { rows } = await db.pool.query<KeySpendRow>({
    name: "usage_key_spend",
    text: KEY_SPEND,
    values: [query.orgId, query.days, query.keyIds],
  });
  return new Map(
    rows.map((row) => [
      row.key_id,
      { requests: Number(row.requests), credits: Number(row.credits), lastUsedAt: row.last_used_at },
    ]),
  );
}
