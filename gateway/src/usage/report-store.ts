import type { Database } from "../db/index.ts";
import { present } from "../kit/index.ts";
import { createValues, filterConditions, spanOf, type UsageFilter } from "./filter-store.ts";
import { type RefusalSum, refusedWithin } from "./refusal-store.ts";

export const SPLITS = ["model", "key", "member", "endpoint"] as const;
export type Split = (typeof SPLITS)[number];

type ReportQuery = {
  readonly orgId: string;
  readonly filter: UsageFilter;
  readonly split: Split;
  /** Restricts everything, choices included, to this member's calls; null for everybody's. */
  readonly onlyMemberId: string | null;
};

/** Days without calls are left out; `at` counts days from the first one. */
export type LoadedReport = {
  readonly now: Date;
  readonly from: string;
  readonly days: readonly LoadedDay[];
  readonly saved: readonly { readonly at: number; readonly model: string; readonly tokens: number }[];
  readonly refusals: readonly (RefusalSum & { readonly at: number })[];
  /** Largest first. `id` is null for calls that name no member; `name` is null if it is no longer known. */
  readonly parts: readonly LoadedPart[];
  /** Sums of each part by day; a `place` beyond the parts is all the others combined. */
  readonly cells: readonly {
    readonly place: number;
    readonly at: number;
    readonly credits: number;
    readonly requests: number;
    readonly cacheSaved: number;
  }[];
  readonly models: readonly string[];
  readonly endpoints: readonly string[];
  readonly keys: readonly NamedChoice[];
  readonly members: readonly NamedChoice[];
};

export type LoadedDay = {
  readonly at: number;
  readonly requests: number;
  readonly failed: number;
  readonly credits: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  /** Tokens of the input; what that saved is in millionths of a credit, negative if writing cost more. */
  readonly cacheRead: number;
  readonly cacheWritten: number;
  readonly cacheSaved: number;
};
type LoadedPart = { readonly id: string | null; readonly name: string | null };
type NamedChoice = { readonly id: string; readonly name: string | null };

/** Parts that are listed by name; the rest is combined into one. */
export const MAX_PARTS = 8;
/** Most choices of each kind; those that spent most are kept. */
const MAX_CHOICES = 200;

const COLUMNS: Readonly<Record<Split, { id: string; name: string }>> = {
  model: { id: "model", name: "r.id" },
  endpoint: { id: "endpoint", name: "r.id" },
  key: { id: "key_id::text", name: "(select k.name from api_keys k where k.id = r.id::uuid)" },
  member: { id: "member_id::text", name: `(select u.name from "user" u where u.id = r.id::uuid)` },
};

/**
 * One statement, so that sums, parts and choices are from the same moment. Reads rollups only, so the work does not
 * grow with the number of calls.
 */
export async function loadReport(db: Database, query: ReportQuery): Promise<LoadedReport> {
  const { filter, split, onlyMemberId } = query;
  const values = createValues(query.orgId, onlyMemberId);
  const conditions = filterConditions(filter, values);
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const refused = refusedWithin(
    onlyMemberId === null ? filter : { ...filter, memberId: onlyMemberId },
    values,
  );
  const { id, name } = COLUMNS[split];
  const result = await db.pool.query<LoadedReport>(
    `with span as materialized (
      select bursar_now() as now, first, last from (${spanOf(filter, values)}) days
    ), listed as materialized (
      select day - (select first from span) as at, key_id, member_id, model, endpoint, requests,
        failed_requests, credits_charged, input_tokens, output_tokens, tokens_saved, cache_read_tokens,
        cache_written_tokens, cache_saved
      from rollups
      where org_id = $1 and day between (select first from span) and (select last from span)
        and ($2::uuid is null or member_id = $2)
    ), part as materialized (
      select *, ${id} as id from listed ${where}
    ), ranked as materialized (
      select id, row_number() over (order by sum(credits_charged) desc, sum(requests) desc, id) as place
      from part group by id
    )
    select now, first::text as "from",
      (select coalesce(json_agg(t), '[]') from (
        select day - first as at, code, requests from (${refused}) r order by code) t) as refusals,
      (select coalesce(json_agg(t), '[]') from (
        select at, sum(requests) as requests, sum(failed_requests) as failed, sum(credits_charged) as credits,
          sum(input_tokens) as "inputTokens", sum(output_tokens) as "outputTokens", sum(tokens_saved) as "tokensSaved",
          sum(cache_read_tokens) as "cacheRead", sum(cache_written_tokens) as "cacheWritten", sum(cache_saved) as "cacheSaved"
        from part group by at order by at) t) as days,
      (select coalesce(json_agg(t), '[]') from (
        select at, model, sum(tokens_saved) as tokens from part group by at, model having sum(tokens_saved) > 0) t) as saved,
      (select coalesce(json_agg(t), '[]') from (
        select r.id, ${name} as name from ranked r where place <= ${MAX_PARTS} order by place) t) as parts,
      (select coalesce(json_agg(t), '[]') from (
        select least(r.place, ${MAX_PARTS + 1}) as place, p.at, sum(p.credits_charged) as credits,
          sum(p.requests) as requests, sum(p.cache_saved) as "cacheSaved"
        from part p join ranked r on r.id is not distinct from p.id group by 1, 2) t) as cells,
      (select coalesce(json_agg(model order by model), '[]') from (${choicesOf("model")}) t) as models,
      (select coalesce(json_agg(endpoint order by endpoint), '[]') from (${choicesOf("endpoint")}) t) as endpoints,
      (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name) order by k.name, k.id), '[]')
        from (${choicesOf("key_id")}) t join api_keys k on k.id = t.key_id) as keys,
      (select coalesce(json_agg(json_build_object('id', t.member_id, 'name', u.name)
          order by u.name, t.member_id), '[]')
        from (${choicesOf("member_id")}) t left join "user" u on u.id = t.member_id where t.member_id is not null)
        as members
    from span`,
    values.all,
  );
  return present(result.rows[0], "the report of an organization");
}

function choicesOf(column: string): string {
  return `select ${column} from listed group by 1 order by sum(credits_charged) desc, 1 limit ${MAX_CHOICES}`;
}
