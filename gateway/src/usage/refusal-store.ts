import { type Database, plainColumn, quotedColumn } from "../db/index.ts";
import type { ErrorCode } from "../kit/index.ts";
import { filterConditions, MAX_DAYS, type RowFilter, type Values } from "./filter-store.ts";

/** A call that was refused before it held anything. */
export type Refusal = {
  readonly orgId: string;
  readonly keyId: string;
  /** Its id in the catalog, or `OTHER_MODEL`: a caller's own text may be a prompt or a key. */
  readonly model: string;
  readonly code: ErrorCode;
};

export const OTHER_MODEL = "other";

/** How many calls were refused with a code. */
export type RefusalSum = { readonly code: string; readonly requests: number };

// In one order, so that two nodes never wait for each other.
const SAVE = `
  insert into refusals as r
    select org_id, date_trunc('hour', bursar_now(), 'UTC') as hour, key_id, model, code, requests
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[])
      as seen(org_id, key_id, model, code, requests)
    order by org_id, hour, key_id, model, code
    on conflict (org_id, hour, key_id, model, code) do update set requests = r.requests + excluded.requests`;

export async function saveRefusals(
  db: Database,
  counted: readonly (Refusal & { readonly requests: number })[],
): Promise<void> {
  await db.pool.query(SAVE, [
    plainColumn(counted, "orgId"),
    plainColumn(counted, "keyId"),
    quotedColumn(counted, "model"),
    plainColumn(counted, "code"),
    plainColumn(counted, "requests"),
  ]);
}

export async function deleteOldRefusals(db: Database): Promise<void> {
  await db.pool.query(`delete from refusals where hour < bursar_now() - ${MAX_DAYS + 1} * interval '1 day'`);
}

/**
 * The refusals of the organization `$1` within `span`, by day and code. They name no member and no endpoint, so a filter
 * by either leaves none.
 */
export function refusedWithin({ model, keyId, memberId, endpoint }: RowFilter, values: Values): string {
  const conditions = filterConditions({ model, keyId }, values);
  if (memberId !== undefined || endpoint !== undefined) conditions.push("false");
  return `select (hour at time zone 'UTC')::date as day, code, sum(requests) as requests from refusals, span
    where org_id = $1 and hour >= first::timestamp at time zone 'UTC'
      and hour < (last + 1)::timestamp at time zone 'UTC' ${conditions.map((each) => `and ${each}`).join(" ")}
    group by 1, 2`;
}
