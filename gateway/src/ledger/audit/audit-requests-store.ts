import type { Database } from "../../db/index.ts";
import { HIGHEST_ID, isBehind } from "./audit-ids.ts";
import { SUMS_OF_CHUNK, type SumsRow } from "./audit-sums-store.ts";

type RequestFault = { readonly requestId: string; readonly what: string };

export type ComparedRequests = {
  /** Where to continue; null once all requests of the organization have been compared. */
  readonly lastId: string | null;
  readonly faults: readonly RequestFault[];
};

/** Also has the sums of the requests by day. */
type SummedRequests = ComparedRequests & { readonly sums: SumsRow };

/**
 * Compares the next requests of several organizations, at most `limit` each, with the charges that name them. On an
 * organization's last page, charges after its last request are included too: they have no request row.
 */
export async function compareRequests(
  db: Database,
  after: ReadonlyMap<string, string>,
  limit: number,
): Promise<ReadonlyMap<string, SummedRequests>> {
  const { rows } = await db.pool.query<SummedRequests & { readonly orgId: string }>({
    name: "audit_requests",
    text: COMPARE,
    values: [[...after.keys()], [...after.values()], limit],
  });
  return new Map(rows.map(({ orgId, ...compared }) => [orgId, compared]));
}

/** A figure of the `measured` JSON; 0 if it is missing or not a number. */
const figure = (name: string) =>
  `case jsonb_typeof(r.measured->'${name}') when 'number' then (r.measured->>'${name}')::numeric else 0 end`;
const INPUT_PARTS = ["cached_input_tokens", "cache_write_tokens", "audio_input_tokens"].map(figure);
const REASONING = figure("reasoning_tokens");

const COMPARE = `
  with chunk as materialized (
    select q.* from unnest($1::uuid[], $2::uuid[]) as f (org_id, after_id)
    cross join lateral (
      select x.* from requests x
      where x.org_id = f.org_id and ${isBehind("x.request_id", "f.after_id")} order by x.request_id limit $3) q
  ), spans as materialized (
    select f.org_id, f.after_id, l.last_id from unnest($1::uuid[], $2::uuid[]) as f (org_id, after_id)
    left join (
      select distinct on (org_id) org_id, case when count(*) over (partition by org_id) = $3 then request_id end as last_id
      from chunk order by org_id, request_id desc) l on l.org_id = f.org_id
  ), charges as materialized (
    select e.* from spans s cross join lateral (
      select x.org_id, x.request_id, -coalesce(sum(x.amount) filter (where x.pool = 'subscription'), 0) as subscription,
        -coalesce(sum(x.amount) filter (where x.pool = 'anytime'), 0) as anytime, min(x.created_at) as at
      from entries x where x.org_id = s.org_id and x.type = 'charge'
        and ${isBehind("x.request_id", "s.after_id")}
        and x.request_id <= coalesce(s.last_id, '${HIGHEST_ID}')
      group by x.org_id, x.request_id) e
  ), compared as materialized (
    select * from (
      select coalesce(r.org_id, c.org_id) as org_id, coalesce(r.request_id, c.request_id) as request_id,
        case when r.request_id is null then 'a charge without a request row'
          when r.charged_subscription <> coalesce(c.subscription, 0) or r.charged_anytime <> coalesce(c.anytime, 0)
            then 'the request row and its charges differ'
          when r.settled_at <> c.at then 'it did not end when it was charged'
          when r.price_rule is not null and r.price_rule not in (select id from price_rules)
            then 'its price rule is not there'
          -- A settlement that found no hold is charged all the same: such a request begins as it ends.
          when r.charged_subscription + r.charged_anytime > 2 * r.held_credits and r.created_at <> r.settled_at
            then 'charged more than twice what it held'
          -- Sums take such a figure for nothing.
          when least(r.written_off_credits, r.input_tokens, r.output_tokens, r.tokens_saved) < 0 then 'a figure is negative'
          when r.measured is not null and (least(${INPUT_PARTS.join(", ")}, ${REASONING}) < 0
              or ${INPUT_PARTS.join(" + ")} > r.input_tokens or ${REASONING} > r.output_tokens)
            then 'the parts of its tokens do not fit them'
        end as what
      from chunk r full join charges c on c.org_id = r.org_id and c.request_id = r.request_id) j
    where what is not null
  ), sums as materialized (${SUMS_OF_CHUNK})
  select s.org_id as "orgId", s.last_id as "lastId", (select coalesce(json_agg(x), '[]') from (
      select request_id as "requestId", what from compared c where c.org_id = s.org_id
      order by request_id limit 20) x) as faults, coalesce(x.sums, '{}') as sums
  from spans s left join sums x on x.org_id = s.org_id`;
