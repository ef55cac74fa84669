import type { Database } from "../../db/index.ts";
import { isBehind } from "./audit-ids.ts";
import type { ComparedRequests } from "./audit-requests-store.ts";

/**
 * Compares the cost recorded on an organization's assets with what was charged for the requests that made them. Takes
 * the next assets of several organizations, those of at most `limit` requests each. Assets may have been deleted, so
 * the rest may add up to less than the charge. A charge is split evenly: the shares differ by at most one credit.
 */
export async function compareAssets(
  db: Database,
  after: ReadonlyMap<string, string>,
  limit: number,
): Promise<ReadonlyMap<string, ComparedRequests>> {
  const { rows } = await db.pool.query<ComparedRequests & { readonly orgId: string }>({
    name: "audit_assets",
    text: COMPARE,
    values: [[...after.keys()], [...after.values()], limit],
  });
  return new Map(rows.map(({ orgId, ...compared }) => [orgId, compared]));
}

const COMPARE = `
  with chunk as materialized (
    select f.org_id, a.* from unnest($1::uuid[], $2::uuid[]) as f (org_id, after_id)
    cross join lateral (
      select x.request_id, sum(x.credits_charged) as credits, max(x.credits_charged) - min(x.credits_charged) as spread
      from assets x where x.org_id = f.org_id and ${isBehind("x.request_id", "f.after_id")}
      group by x.request_id order by x.request_id limit $3) a
  ), judged as materialized (
    select c.org_id, c.request_id,
      case when r.request_id is null then 'assets of a request that is not there'
        when c.credits > r.charged_subscription + r.charged_anytime then 'its assets say that they cost more than was charged'
        when c.spread > 1 then 'its assets do not share the charge evenly' end as what
    from chunk c left join requests r on r.org_id = c.org_id and r.request_id = c.request_id
  )
  select c.org_id as "orgId", case when count(*) = $3 then max(c.request_id::text) end as "lastId",
    (select coalesce(json_agg(x), '[]') from (
      select request_id as "requestId", what from judged j where j.org_id = c.org_id and j.what is not null
      order by request_id limit 20) x) as faults
  from chunk c group by c.org_id`;
