import type { Database } from "../db/index.ts";

/** What one key used within the requested days. */
export type KeySpend = {
  readonly requests: number;
  readonly credits: number;
  readonly lastUsedAt: Date;
};

/**
 * SQL for the time of last use. A key's own timestamp is written seconds late, or never if a process dies. The rollups
 * have the time of settlement, which may be long after the key was revoked.
 */
export function lastUseOf({ settledAt, key }: { settledAt: string; key: string }): string {
  return `least(greatest(${settledAt}, ${key}.last_used_at), ${key}.revoked_at)`;
}

const KEY_SPEND = `
  select p.key_id as "keyId", p.requests, p.credits, ${lastUseOf({ settledAt: "p.last_at", key: "k" })} as "lastUsedAt"
  from (
    select key_id, sum(requests)::float8 as requests, sum(credits_charged)::float8 as credits, max(last_at) as last_at
    from rollups, (select (bursar_now() at time zone 'UTC')::date as last) today
    where org_id = $1 and day between last - ($2::integer - 1) and last and key_id = any($3::uuid[])
    group by key_id) p join api_keys k on k.id = p.key_id`;

/** Contains only those of the requested keys that were used. */
export async function loadKeySpend(
  db: Database,
  query: { orgId: string; days: number; keyIds: readonly string[] },
): Promise<Map<string, KeySpend>> {
  const { rows } = await db.pool.query<KeySpend & { keyId: string }>({
    name: "usage_key_spend",
    text: KEY_SPEND,
    values: [query.orgId, query.days, query.keyIds],
  });
  return new Map(rows.map(({ keyId, ...spend }) => [keyId, spend]));
}
